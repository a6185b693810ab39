/** Comments that highlight lines of code: `// [!code ++]`, `<!-- [!code focus] -->`; alone on a line with the line. */
const ownLine = /^[ \t]*(?:\/\/|\/\*|<!--|--|#|;)[ \t]*\[!!?code [^\]\n]{1,60}\][ \t]*(?:\*\/|-->)?[ \t]*\n/gm
const mark = /[ \t]*(?:\/\/|\/\*|<!--|--|#|;)[ \t]*\[!!?code [^\]\n]{1,60}\][ \t]*(?:\*\/|-->)?/g

/** Removes marks of Shiki, which every format with that highlighter shows as colors. Pure. */
export function removeCodeMarks(code: string): string {
  return code.includes('code ') ? code.replace(ownLine, '').replace(mark, '') : code
}
