const hashLanguages = /\.(?:pyi?|rb|sh|bash|ya?ml|toml|exs?|cfg|ini|env)$|(?:^|\/)(?:Makefile|Dockerfile)/i
const slashLanguages =
  /\.(?:[cm]?[jt]sx?|go|rs|java|kts?|scala|php|cs|swift|vue|svelte|c|h|cc|cpp|hpp|dart|proto|jsonc|gradle|scss|less|css)$/i

/** A string, or a comment; whichever begins first counts. Each alternative ends at its first closing mark. */
const slashTokens = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[^])*`|\/\*[^]*?\*\/|\/\/[^\n]*/g
const hashTokens = /"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*/g

/**
 * Blanks comments and docstrings, so that only code defines a name or keeps it alive. Lines keep their numbers. Linear:
 * an unclosed mark is left as it is, once.
 */
export function stripComments(path: string, text: string): string {
  // In data, what closes docstrings would be an error of syntax.
  const docstrings = /\.pyi?$/i.test(path) ? ['"""', "'''"] : []
  if (hashLanguages.test(path)) return close(text, docstrings).replace(hashTokens, blankHash)
  if (!slashLanguages.test(path)) return text
  return close(text, ['/*', '`']).replace(slashTokens, (token) => (/^\/[/*]/.test(token) ? blank(token) : token))
}

/** Closes marks of several lines at the end, without which each unclosed one would be searched for to the end. */
function close(text: string, marks: readonly string[]): string {
  return [text, ...marks.map((mark) => (mark === '/*' ? '/**/' : mark))].join('\n')
}

function blankHash(token: string): string {
  return token.startsWith('#') || token.startsWith('"""') || token.startsWith("'''") ? blank(token) : token
}

function blank(token: string): string {
  return token.replaceAll(/[^\n]+/g, ' ')
}
