const wideCharacters = /(\\*)([^\0-\xff]+)/g

/**
 * Escapes what is beyond Latin-1 in the code of a module, which then takes one byte a character in memory instead of two: Node
 * keeps the text of each module that it has loaded. In strings, templates, patterns and names, the escape means the character.
 * Only the raw text of a template would tell, so `String.raw` is for patterns.
 */
export function narrowText(code: string): string {
  return code.replace(wideCharacters, (_, slashes: string, characters: string) => {
    const escaped = Array.from({ length: characters.length }, (_, at) => escapeUnit(characters.charCodeAt(at)))
    // A backslash before the first character says nothing, and would be taken for one that is meant.
    return slashes.slice(slashes.length % 2) + escaped.join('')
  })
}

const escapeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`
