import { expect, it } from 'vitest'
import { readFenceInfo } from './markdown-writing.ts'

it.each([
  ['js', 'server.js {1,3} lines', 'js server.js'],
  ['js', '"My title"', 'js My title'],
  ['ts', '"next" "await next();"', 'ts'],
  ['ts', '{14} /(inject)[^(]/', 'ts'],
  ['ts', 'title="a.ts" "next" "x"', 'ts a.ts'],
  ['tsx', 'tab="Before" twoslash', 'tsx Before'],
  ['sh', '/etc/hosts', 'sh /etc/hosts'],
])('reads the info string %s %s as %j', (language, meta, expected) => {
  expect(readFenceInfo(language, meta)).toBe(expected)
})
