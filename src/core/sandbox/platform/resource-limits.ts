/**
 * Limits of the system for a confined command: no core files, which would hold what the program read, and not more
 * processes than a fork bomb needs to stop before the machine does. Set by the shell that every system has, right
 * before the command takes its place; a limit that is lower already stays.
 */
const MOST_PROCESSES = 16_384

/** The two shells that are `/bin/sh` on most systems have different letters for processes. */
const SCRIPT = `ulimit -c 0; ulimit -u ${MOST_PROCESSES} 2>/dev/null || ulimit -p ${MOST_PROCESSES} 2>/dev/null; exec "$@"`

/** What stands before the command. */
export const ULIMIT_PREFIX: ReadonlyArray<string> = ["/bin/sh", "-c", SCRIPT, "sh"]
