import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTreeListing, resolveLinks } from './tree-listing.ts'

const id = 'a'.repeat(40)

function listing(...entries: [mode: string, type: string, path: string | Buffer][]): Buffer {
  return Buffer.concat(
    entries.flatMap(([mode, type, path]) => [Buffer.from(`${mode} ${type} ${id}\t`), Buffer.from(path), Buffer.of(0)]),
  )
}

describe('parseTreeListing', () => {
  it('sorts entries into files, links and the rest', () => {
    const parsed = parseTreeListing(
      listing(
        ['100644', 'blob', 'a.md'],
        ['100755', 'blob', 'b.sh'],
        ['120000', 'blob', 'c'],
        ['160000', 'commit', 'd'],
        ['100664', 'blob', 'e'],
      ),
    )

    expect(parsed.files.map(({ path }) => path)).toEqual(['a.md', 'b.sh'])
    expect(parsed.links.map(({ path }) => path)).toEqual(['c'])
    expect(parsed.skipped).toEqual([
      { path: 'd', reason: 'A submodule is another repository and is not read.' },
      { path: 'e', reason: 'Its mode 100664 is not one of a regular file.' },
    ])
  })

  it('leaves out a name that is not UTF-8, because two such names could become one', () => {
    const parsed = parseTreeListing(
      listing(['100644', 'blob', Buffer.of(0x61, 0xff)], ['100644', 'blob', Buffer.of(0x61, 0xfe)]),
    )

    expect(parsed.files).toEqual([])
    expect(parsed.skipped).toHaveLength(2)
  })

  it('keeps no path that leads out of the tree', () => {
    const segment = fc.constantFrom('..', '.', '', '.git', '.GIT', 'a', 'b.md')
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const { files } = parseTreeListing(listing(['100644', 'blob', segments.join('/')]))

        for (const { path } of files) {
          expect(posix.normalize(path)).toBe(path)
          expect(path.startsWith('/') || path.toLowerCase().split('/').includes('.git')).toBe(false)
        }
      }),
    )
  })
})

describe('resolveLinks', () => {
  it('gives every path the blob of a regular file of the tree, whatever links hold', () => {
    const segment = fc.constantFrom('..', '.', '', 'a', 'b', 'c', 'file')
    const target = fc.array(segment, { maxLength: 5 }).map((segments) => segments.join('/'))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'a/b', 'd/e/f'), target), (links) => {
        const files = [{ path: 'd/file', id, isExecutable: false }]
        const entries = Object.keys(links).map((path) => ({ path, id: 'link' }))

        const resolved = resolveLinks({ files, links: entries, skipped: [] }, new Map(Object.entries(links)))

        expect([...resolved.files.values()].every((file) => file.id === id)).toBe(true)
        expect(resolved.files.size + resolved.skipped.length).toBe(1 + entries.length)
      }),
    )
  })
})
