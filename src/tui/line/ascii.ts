/** Text for terminals that cannot show everything: signs by their nearest ASCII ones. */
const SIGNS: Readonly<Record<string, string>> = {
  "\u00a0": " ",
  "\u00b7": "-",
  "\u00d7": "x",
  "\u2010": "-",
  "\u2011": "-",
  "\u2013": "-",
  "\u2014": "--",
  "\u2018": "'",
  "\u2019": "'",
  "\u201c": '"',
  "\u201d": '"',
  "\u2022": "*",
  "\u2026": "...",
  "\u2190": "<-",
  "\u2192": "->",
  "\u2212": "-",
  "\u2713": "[ok]",
  "\u2714": "[ok]",
  "\u2717": "[x]",
  "\u2718": "[x]"
}

const SIGN = new RegExp(`[${Object.keys(SIGNS).join("")}]`, "g")

/** Our own signs and common typography; letters of any script stay. */
export const plainSigns = (text: string): string => text.replace(SIGN, (sign) => SIGNS[sign] ?? sign)

/** Nothing but ASCII: accents are dropped, what has no ASCII form becomes a question mark. */
export const asciiOnly = (text: string): string =>
  plainSigns(text)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^\u0000-\u007f]/gu, "?")
