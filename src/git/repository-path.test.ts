import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkRepositoryPath, quotePath } from './repository-path.ts'

function isTaken(path: string): boolean {
  try {
    checkRepositoryPath(path)
    return true
  } catch {
    return false
  }
}

describe('checkRepositoryPath', () => {
  it.each([
    'page.md',
    'guides/install.mdx',
    'übersicht/größe.md',
    '日本語/ページ.md',
    '.mintlify/x.md',
    '.gitignore',
    '-x.md',
    'a b.md',
    'git.md',
    'v1.0/git~x.md',
  ])('takes %s as it is', (path) => {
    const checked = checkRepositoryPath(path)

    expect(checked).toBe(path)
  })

  it('drops a leading "./"', () => {
    const checked = checkRepositoryPath('././guides/install.mdx')

    expect(checked).toBe('guides/install.mdx')
  })

  it.each([
    ['nothing', ''],
    ['a folder', 'guides/'],
    ['an absolute path', '/etc/passwd'],
    ['a path on Windows', 'C:\\x.md'],
    ['a network path', '\\\\host\\share'],
    ['the home folder', '~/x.md'],
    ['a way out', '../x.md'],
    ['a way out in the middle', 'a/../../x.md'],
    ['a way around', 'a/../b.md'],
    ['a dot in the middle', 'x/./y'],
    ['an empty part', 'a//b.md'],
    ['the git folder', '.git/config'],
    ['the git folder below', 'docs/.git/config'],
    ['the git folder in capitals', '.GIT/config'],
    ['the git folder as a file', '.git'],
    ['the short name of the git folder', 'git~1/config'],
    ['the git folder with a zero-width joiner', '.g\u200Dit/config'],
    ['the git folder with a variation selector', '.g\uFE0Fit/config'],
    ['the git folder in wide letters', '\uFF0Egit/config'],
    ['the git folder with a dot behind', '.git./config'],
    ['the git folder with a blank behind', '.git /config'],
    ['a stream of the git folder', '.git::$INDEX_ALLOCATION/config'],
    ['a backslash', 'a\\..\\b'],
    ['a line feed', 'a\nb.md'],
    ['a zero byte', 'a\0b.md'],
    ['an escape', 'a\u001b[31m.md'],
    ['a direction mark', 'a\u202Edm.exe'],
    ['a decomposed letter', 'u\u0308bersicht.md'],
    ['a no-break space', 'a\u00A0b.md'],
    ['half a surrogate pair', 'a\uD800.md'],
    ['a part that ends with a dot', 'guides./x.md'],
    ['a part that ends with a blank', 'x.md '],
    ['a device', 'docs/CON.md'],
    ['an encoded way out', '%2e%2e/x.md'],
    ['what looks like a slash', 'guides/..\u2215x.md'],
    ['a name of 256 bytes', `${'x'.repeat(253)}.md`],
    ['a path of more than 1,000 bytes', `${'a/'.repeat(39)}${'x'.repeat(200)}/`.repeat(5)],
    ['41 folders', `${'a/'.repeat(41)}x.md`],
  ])('refuses %s in a sentence', (_, path) => {
    const check = () => checkRepositoryPath(path)

    expect(check).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        message: expect.stringMatching(/^The path .* Write it from the root/),
      }),
    )
  })

  it('takes only what names one place inside the tree', () => {
    const segment = fc.oneof(
      fc.constantFrom('..', '.', '', '.git', '.GIT', 'git~1', '~', '\u200C', '\\', 'a', 'ä', 'b.md', ' ', '.g\u200Bit'),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    )
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const path = segments.join('/')
        fc.pre(isTaken(path))

        const checked = checkRepositoryPath(path)

        expect(checkRepositoryPath(checked)).toBe(checked)
        expect(posix.join('/root', checked)).toBe(`/root/${checked}`)
        expect(checked.normalize('NFKC').toLowerCase().split('/')).not.toContain('.git')
        expect(checked).not.toMatch(/[\\\p{Cc}\p{Cf}]/u)
      }),
    )
  })
})

describe('quotePath', () => {
  it('shows a path on one line, with nothing invisible in it', () => {
    const quoted = quotePath('a\n"b"\u202E\u200B.md')

    expect(quoted).toBe('"a\\n\\"b\\"\\u{202e}\\u{200b}.md"')
  })
})
