import { type ShjLanguageData, type ShjToken, tokenizeWith } from '@speed-highlight/core/tokenize'
import bash from '@speed-highlight/core/languages/bash.js'
import c from '@speed-highlight/core/languages/c.js'
import css from '@speed-highlight/core/languages/css.js'
import diff from '@speed-highlight/core/languages/diff.js'
import go from '@speed-highlight/core/languages/go.js'
import html from '@speed-highlight/core/languages/html.js'
import http from '@speed-highlight/core/languages/http.js'
import ini from '@speed-highlight/core/languages/ini.js'
import java from '@speed-highlight/core/languages/java.js'
import js from '@speed-highlight/core/languages/js.js'
import json from '@speed-highlight/core/languages/json.js'
import py from '@speed-highlight/core/languages/py.js'
import rs from '@speed-highlight/core/languages/rs.js'
import sql from '@speed-highlight/core/languages/sql.js'
import toml from '@speed-highlight/core/languages/toml.js'
import ts from '@speed-highlight/core/languages/ts.js'
import xml from '@speed-highlight/core/languages/xml.js'
import yaml from '@speed-highlight/core/languages/yaml.js'

/** Its patterns take quadratic time on hostile text, so longer code stays plain. */
const codeCharsMax = 4_000

// Its types leave `undefined` out, which its own grammars contain.
const languages = {
  bash,
  c,
  css,
  diff,
  go,
  html,
  http,
  ini,
  java,
  js,
  json,
  py,
  rs,
  sql,
  toml,
  ts,
  xml,
  yaml,
} as unknown as Readonly<Record<string, ShjLanguageData>>

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
  const text = code.textContent
  const known = findLanguage(language)
  if (known === undefined || text.length > codeCharsMax) return
  const parts: (HTMLElement | string)[] = []
  const add = (part: string, token?: ShjToken) => {
    const color = token && colors[token]
    if (part !== '') parts.push(color === undefined ? part : makeSpan(part, color))
  }
  tokenizeWith(text, known, add, { languages })
  code.replaceChildren(...parts)
}

/** Only the first word: others are settings, such as `sh title="Install"`. */
function findLanguage(name: string): ShjLanguageData | undefined {
  const word = /^[^\s,{:]*/.exec(name.toLowerCase())?.[0] ?? ''
  const known = Object.hasOwn(names, word) ? names[word] : word
  return known !== undefined && Object.hasOwn(languages, known) ? languages[known] : undefined
}

function makeSpan(text: string, color: string): HTMLElement {
  const span = document.createElement('span')
  span.className = color
  span.append(text)
  return span
}
