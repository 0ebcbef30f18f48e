import guidance from "./guidance.md"

/** How the model uses its memory; only the place differs between projects. */
export const memoryGuidance = (directory: string): string => guidance.replace("{{directory}}", () => directory)
