/** Characters that show nothing, such as soft hyphens. */
const nothing = String.raw`\p{Default_Ignorable_Code_Point}`

export const tagCharacters = String.raw`\p{L}\p{M}\p{N}_${nothing}`

/** What may be between them. The dashes are the ones that people type as a hyphen. */
export const tagSeparators = String.raw`\/‐‑‒–−\-`

/** What a tag follows, if it does not begin the text. */
export const beforeTag = String.raw`(?=[#＃])(?<=(?:^|[\s\p{Ps}\p{Pi}"'*~\|>])[${nothing}]*)(?<!=["'])`

/**
 * A tag begins with `#` at the start of a text or after white space, an opening bracket, a quotation mark or a mark of
 * Markdown, so that `C#` is none. It contains a letter, so that `#1` is none, and does not end with `-` or `/`.
 */
export const tagPattern =
  String.raw`${beforeTag}[#＃](?=[\p{M}\p{N}_${nothing}${tagSeparators}]*(?!${nothing})\p{L})` +
  `[${tagCharacters}]+(?:[${tagSeparators}]+[${tagCharacters}]+)*`
