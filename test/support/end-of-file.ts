/**
 * What is closed when a test file is done. All files of a worker share the support modules, so that a hook of such a
 * module would serve the first file only; set-up.ts runs for every file and calls these.
 */
type Ending = () => void | Promise<void>

const endings: Array<Ending> = []

export const atEndOfFile = (ending: Ending): void => void endings.push(ending)

/** The newest first: a program ends before its directory goes. */
export const endFile = async (): Promise<void> => {
  for (const ending of endings.toReversed()) await ending()
}
