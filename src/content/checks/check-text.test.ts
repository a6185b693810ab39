import { describe, expect, it } from 'vitest'
import { check, rulesOf, site } from '../../../test/support/check-test-change.ts'

describe('content that a change must not add', () => {
  const add = (line: string) =>
    check({ 'index.mdx': `${site['index.mdx']}\n${line}\n`, 'snippets/notes.md': `${line}\n` })

  it.each([
    ['tool-residue', '</content>'],
    ['tool-residue', '</invoke>'],
    ['tool-residue', '<|im_end|>'],
    ['tool-residue', '... rest of the file remains unchanged ...'],
    ['conflict-marker', '<<<<<<< HEAD'],
    ['secret', 'The key is sk-proj-Ab3dE5fG7hI9jK1lM3nO5pQ7.'],
    ['secret', 'https://user:kT9vQz3Lm8Xr@host.acme.org/x'],
    ['invisible-character', 'A zero\u200Bwidth space'],
    ['invisible-character', 'A \u202Ereversed line'],
    ['invisible-character', `Hidden ${String.fromCodePoint(0xe0041)}`],
    ['remote-script', '<script src="https://evil.example/x.js"></script>'],
  ])('is found: %s in %j', async (rule, line) => {
    const problems = await add(line)

    expect(
      problems.filter(({ path }) => path === 'snippets/notes.md').map((problem) => [problem.rule, problem.severity]),
    ).toContainEqual([rule, 'block'])
    expect(JSON.stringify(problems)).not.toMatch(/Ab3dE5fG7hI9|kT9vQz3Lm8Xr/)
  })

  it.each([
    'Authorization: Bearer YOUR_API_TOKEN_HERE',
    'The key begins with `sk-` and looks like sk-xxxxxxxxxxxxxxxxxxxxxxxx.',
    'Write `</content>` or `<|im_end|>` in code.',
    'A family: 👨\u200D👩\u200D👧',
    'مرحبا \u200Fبالعالم',
    '=======',
    'The rest of the page is about links.',
    'https://user:password@example.com/path',
  ])('is not %j', async (line) => {
    const problems = await check({ 'snippets/notes.md': `${line}\n` })

    expect(problems).toEqual([])
  })

  it('is ignored if it was there before, and in fenced code', async () => {
    const files = { ...site, 'snippets/notes.md': 'x\n<<<<<<< HEAD\n' }

    const problems = await check(
      { 'snippets/notes.md': 'new\n\nx\n<<<<<<< HEAD\n\n```diff\n<<<<<<< HEAD\n</invoke>\n```\n' },
      { files },
    )

    expect(problems).toEqual([])
  })

  it('is too large to review', async () => {
    const change = { 'a.md': 'a\n', 'b.md': 'b'.repeat(100), 'c.md': 'c\n' }

    const problems = await check(change, { limits: { filesMax: 2, fileBytesMax: 50, bytesMax: 60 } })

    expect(
      rulesOf(problems)
        .filter((rule) => rule.startsWith('change-too-large'))
        .toSorted(),
    ).toEqual(['change-too-large a.md', 'change-too-large a.md', 'change-too-large b.md'])
  })
})

describe('hostile text', () => {
  it.each([
    ['blanks', ' '.repeat(200_000)],
    ['backticks', '`'.repeat(100_000)],
    ['uneven backticks', '`a``b'.repeat(20_000)],
    ['tags that never end', '<a '.repeat(60_000)],
    ['a heading of blanks', `# a${' '.repeat(200_000)}b`],
    ['marks before words', `${'.'.repeat(200_000)}rest of the file`],
    ['secrets side by side', 'sk-proj-Ab3dE5fG7hI9jK1lM3nO5pQ7 '.repeat(3000)],
  ])('is checked in linear time: %s', async (_, text) => {
    const problems = await check({ 'snippets/notes.md': `${text}\n`, 'data.txt': `${text}\n` })

    expect(problems.every(({ severity }) => severity === 'block' || severity === 'warn')).toBe(true)
  })
})
