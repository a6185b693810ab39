/**
 * Invisible characters and characters that reverse the text around them. They are shown by their code, because a diff
 * must not hide anything: control characters other than the tab, format characters such as direction marks and
 * zero-width characters, default-ignorable characters, and Unicode line separators. Variation selectors of emoji are
 * kept.
 */
const hiddenCharacters = /([^\P{Cc}\t]|[\p{Cf}\p{Zl}\p{Zp}]|(?<!\p{Emoji})[\uFE0E\uFE0F]|(?![\uFE0E\uFE0F])\p{DI})/u

/** Text from others, as shown on pages: invisible parts are replaced by their code, such as `U+202E`. */
export interface TextPart {
  text: string
  isHidden: boolean
}

/** @returns The parts in order, covering the whole text. */
export function splitVisibleText(text: string): TextPart[] {
  return text
    .split(hiddenCharacters)
    .map((part, index) => ({ text: index % 2 === 1 ? nameCharacter(part) : part, isHidden: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}

function nameCharacter(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`
}
