/** Where requests to the model go when nothing else is said. */
export const DEFAULT_BASE_URL = "https://api.anthropic.com"
