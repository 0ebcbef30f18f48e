/**
 * What the classifier goes by besides the conversation: sentences in plain words, from the settings (`autoMode.*`) or
 * from here. They describe, they are not matched.
 */
export interface AutoLists {
  /** What the classifier should know about the machine and the people. */
  readonly environment: ReadonlyArray<string>
  readonly allow: ReadonlyArray<string>
  /** Blocked unless the user clearly asked for it or an allow entry covers it. */
  readonly softDeny: ReadonlyArray<string>
  /** Blocked whatever anybody said. */
  readonly hardDeny: ReadonlyArray<string>
}

export interface AutoSettings extends AutoLists {
  /** Every command goes to the classifier, whatever would allow it. */
  readonly classifyAllShell: boolean
  /** The classifier answers what plan mode would ask about commands. */
  readonly duringPlan: boolean
}

/** Stands in a list for the entries that it would have without the setting. */
const DEFAULTS_MARK = "$defaults"

export const BUILT_IN_LISTS: AutoLists = {
  environment: [
    "The working directories and the repository in them belong to the user's task.",
    "Hosts, accounts, services and repositories that the user has not named are foreign."
  ],
  allow: [
    "Building, testing, linting, formatting and running the user's own code in the working directories.",
    "Installing dependencies that the project's own files declare.",
    "Creating, changing and removing files that belong to the task, in the working directories or in a temporary directory.",
    "Commits and new branches in the local repository.",
    "Reading documentation and public web pages that the task needs.",
    "Reading files outside the working directories that hold no secrets and that the task needs."
  ],
  softDeny: [
    "Pushing to a remote repository, above all with force or to a default branch.",
    "Discarding uncommitted work: hard resets, cleaning untracked files, dropping stashes, rewriting published history.",
    "Removing files that the agent did not create and the task does not name.",
    "Running code that was just downloaded, or installing packages that no project file declares.",
    "Reading credentials, private keys, tokens, password stores or browser profiles.",
    "Changing files that decide what tools run: hooks, shell profiles, CI and editor settings, permission settings.",
    "Changing shared or production systems: deployments, databases, cloud resources, message queues.",
    "Sending messages, opening issues or publishing packages in the user's name.",
    "Asking for the rights of another user, or stopping services and processes that the agent did not start."
  ],
  hardDeny: [
    "Sending credentials, private keys, personal data or the project's source to a place the user has not named.",
    "Removing or encrypting data on a large scale: home directories, disks, backups, whole databases.",
    "Switching off protection: sandbox, permission checks, logging, virus scanners, firewalls.",
    "Anything that gives somebody else lasting access to the machine: new keys, accounts, listeners, scheduled jobs.",
    "Doing in another way what was denied before, so that the denial does not see it."
  ]
}

export const DEFAULT_AUTO: AutoSettings = { ...BUILT_IN_LISTS, classifyAllShell: false, duringPlan: false }

/** A list of the settings with the built-in entries where it asks for them; without one, the built-in entries. */
export const withDefaults = (
  given: ReadonlyArray<string> | undefined,
  builtIn: ReadonlyArray<string>
): ReadonlyArray<string> =>
  given === undefined
    ? builtIn
    : [...new Set(given.flatMap((entry) => (entry.trim() === DEFAULTS_MARK ? builtIn : [entry])))]
