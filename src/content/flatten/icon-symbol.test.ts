import { expect, it } from 'vitest'
import { iconSymbol, replaceEmojiCodes, replaceIconCodes } from './icon-symbol.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

it('knows checks and crosses by the names of their icons', () => {
  expect(['Check', 'LucideCircleCheckIcon', 'check-circle', 'fa-solid fa-check', 'Yes'].map(iconSymbol)).toEqual(
    Array.from({ length: 5 }, () => '✓'),
  )
  expect(['Cross', 'XIcon', 'LucideXCircle', 'xmark', 'No'].map(iconSymbol)).toEqual(
    Array.from({ length: 5 }, () => '✗'),
  )
  expect(['CheckList', 'Info', 'rocket', 'Checkout'].map(iconSymbol)).toEqual(['', '', '', ''])
})

it('replaces icon codes outside of code, and leaves other shortcodes', () => {
  expect(replaceIconCodes('| :material-check: | :fontawesome-solid-xmark:{ .red } | :octicons-rocket-16: go')).toBe(
    '| ✓ | ✗ |  go',
  )
  expect(replaceIconCodes('`:material-check:` :smile: 10:30:00')).toBe('`:material-check:` :smile: 10:30:00')
})

it('replaces the codes of emoji outside of code, and leaves times, ports and codes that it does not know', () => {
  expect(replaceEmojiCodes(':tada: Done :white_check_mark:, broken :x: and (:+1:)')).toBe(
    '🎉 Done ✓, broken ✗ and (👍)',
  )
  const untouched = '`:tada:` 10:30:00 a:key:b ::smile:: :nothing_known:'
  expect(replaceEmojiCodes(untouched)).toBe(untouched)
})

it('reads a line of backticks at once', () => {
  const started = threadCpuMs()

  for (const line of ['`'.repeat(200_000), '`a``'.repeat(50_000)]) replaceEmojiCodes(`${line} :tada:`)

  expect(threadCpuMs() - started).toBeLessThan(1_000)
})
