const written = String.raw`[ \t]*(?:\/\/|\/\*|<!--|--|#|;)[ \t]*\[!code [^\]\n]{1,60}\][ \t]*(?:\*\/|-->)?`
/** Comments that highlight lines of code: `// [!code ++]`, `<!-- [!code focus] -->`; alone on a line with the line. */
const ownLine = new RegExp(String.raw`^${written}[ \t]*\n`, 'gm')
const mark = new RegExp(String.raw`(?<![ \t])${written}`, 'g')

/** Removes marks of Shiki, which every format with that highlighter shows as colors; `[!!code` shows one. Pure. */
export function removeCodeMarks(code: string): string {
  return code.includes('code ') ? code.replace(ownLine, '').replace(mark, '').replaceAll('[!!code ', '[!code ') : code
}
