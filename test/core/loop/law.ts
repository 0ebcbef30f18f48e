/** A broken law throws with its name. */
export const fail = (law: string, detail: string): never => {
  throw new Error(`law broken: ${law}: ${detail}`)
}

export const check = (holds: boolean, law: string, detail = ""): void => {
  if (!holds) fail(law, detail)
}
