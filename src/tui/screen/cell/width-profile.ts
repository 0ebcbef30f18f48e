/** What the terminal believes about the clusters on which terminals differ. */
export interface WidthProfile {
  /** An emoji sequence held by joiners is drawn as one picture of two columns. */
  readonly joinsZwj: boolean
  /** A regional indicator without a partner takes two columns. */
  readonly wideRegionalIndicator: boolean
  /** A text symbol followed by U+FE0F takes two columns. */
  readonly widePresentation: boolean
  /** East Asian Ambiguous characters take two columns: a setting, no probe shows it. */
  readonly ambiguousWide: boolean
  /** The fields above were measured on this terminal and are not a guess. */
  readonly measured: boolean
}

/** Used until a terminal has answered, and for good when it never does. */
export const CONSERVATIVE_PROFILE: WidthProfile = {
  joinsZwj: false,
  wideRegionalIndicator: false,
  widePresentation: true,
  ambiguousWide: false,
  measured: false
}
