import { type ShjLanguageData, type ShjToken, tokenizeWith } from '@speed-highlight/core/tokenize'
import bash from '@speed-highlight/core/languages/bash.js'
import js from '@speed-highlight/core/languages/js.js'
import json from '@speed-highlight/core/languages/json.js'
import py from '@speed-highlight/core/languages/py.js'
import ts from '@speed-highlight/core/languages/ts.js'
import yaml from '@speed-highlight/core/languages/yaml.js'

/** Its patterns take quadratic time on hostile text, so longer code stays plain. */
const codeCharsMax = 4_000

export type Languages = Readonly<Record<string, ShjLanguageData>>

/** Before the keywords of shells, so that `--for` is not a loop. */
const longOption = { type: 'oper', match: /(?<=\s)--[a-z][\w-]*(?:=[\w.-]+)?/gi }

/** Those of most documentation. Its types leave `undefined` out, which its own grammars contain. */
let languages = { bash: [longOption, ...bash], js, json, py, ts, yaml } as unknown as Languages

/** Those in `further-languages.ts`, which is loaded with the first code in one of them. */
const furtherNames = 'c css diff go html http ini java rs sql toml xml'.split(' ')

/** Names that code blocks have, besides those above. Languages that are read like another one are named after it. */
const names: Readonly<Record<string, string>> = {
  console: 'bash',
  sh: 'bash',
  shell: 'bash',
  'shell-session': 'bash',
  zsh: 'bash',
  powershell: 'bash',
  ps1: 'bash',
  'c++': 'c',
  cpp: 'c',
  h: 'c',
  less: 'css',
  scss: 'css',
  patch: 'diff',
  docker: 'bash',
  dockerfile: 'bash',
  golang: 'go',
  lua: 'bash',
  astro: 'html',
  svelte: 'html',
  vue: 'html',
  env: 'ini',
  properties: 'ini',
  'c#': 'java',
  cs: 'java',
  csharp: 'java',
  dart: 'java',
  groovy: 'java',
  kotlin: 'java',
  kt: 'java',
  scala: 'java',
  swift: 'java',
  cjs: 'js',
  javascript: 'js',
  jsx: 'js',
  mjs: 'js',
  php: 'js',
  json5: 'json',
  jsonc: 'json',
  python: 'py',
  rb: 'py',
  ruby: 'py',
  rust: 'rs',
  hcl: 'toml',
  tf: 'toml',
  tsx: 'ts',
  typescript: 'ts',
  mdx: 'xml',
  svg: 'xml',
  yml: 'yaml',
}

/** Which of the colours a kind of token has. The others have that of the text. */
const colors: Readonly<Partial<Record<ShjToken, 'key' | 'str' | 'fn' | 'note'>>> = {
  kwd: 'key',
  bool: 'key',
  num: 'key',
  deleted: 'key',
  str: 'str',
  esc: 'str',
  insert: 'str',
  func: 'fn',
  class: 'fn',
  type: 'fn',
  section: 'fn',
  var: 'fn',
  cmnt: 'note',
}

/**
 * Colors code in its element, which keeps its text. Makes elements instead of markup. Code that is long, or in a
 * language that is not known, stays as it is.
 *
 * @param language As the code block names it.
 */
export function highlightCode(code: HTMLElement, language: string): void {
  const name = findName(language)
  if (code.textContent.length > codeCharsMax) return
  if (Object.hasOwn(languages, name)) paint(code, name)
  else if (furtherNames.includes(name)) void loadFurther().then(() => paint(code, name), ignore)
}

/** Only the first word: others are settings, such as `sh title="Install"`. */
function findName(language: string): string {
  const word = /^[^\s,{:]*/.exec(language.toLowerCase())?.[0] ?? ''
  return (Object.hasOwn(names, word) ? names[word] : undefined) ?? word
}

async function loadFurther(): Promise<void> {
  const { furtherLanguages } = await import('./further-languages.ts')
  languages = { ...languages, ...furtherLanguages }
}

/** Code stays plain without its language. */
function ignore(): void {}

function paint(code: HTMLElement, name: string): void {
  const known = languages[name]
  if (known === undefined) return
  const parts: (HTMLElement | string)[] = []
  const add = (part: string, token?: ShjToken) => {
    const color = token && colors[token]
    if (part !== '') parts.push(color === undefined ? part : makeSpan(part, color))
  }
  tokenizeWith(code.textContent, known, add, { languages })
  code.replaceChildren(...parts)
}

function makeSpan(text: string, color: string): HTMLElement {
  const span = document.createElement('span')
  span.className = color
  span.append(text)
  return span
}
