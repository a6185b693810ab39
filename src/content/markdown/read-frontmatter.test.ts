import { describe, expect, it } from 'vitest'
import { FindingList } from '../finding-list.ts'
import { readFrontmatterFields, splitFrontmatter, toFrontmatter } from './read-frontmatter.ts'

function read(yaml: string) {
  const findings = new FindingList()
  const fields = readFrontmatterFields(yaml, 'a.mdx', findings)
  return { frontmatter: toFrontmatter(fields, { yaml, file: 'a.mdx', findings }), findings: findings.list() }
}

describe('splitFrontmatter', () => {
  it('splits at the closing fence and counts the lines before the body', () => {
    expect(splitFrontmatter('---\ntitle: A\n---\nBody\n')).toEqual({ yaml: 'title: A', body: 'Body\n', bodyLine: 3 })
  })

  it('accepts empty frontmatter', () => {
    expect(splitFrontmatter('---\n---\nBody')).toEqual({ yaml: '', body: 'Body', bodyLine: 2 })
  })

  it.each(['Body', '---\ntitle: A\n', ' ---\na: b\n---\n', 'x\n---\ny\n---\n'])('reads %j as body alone', (source) => {
    expect(splitFrontmatter(source)).toEqual({ yaml: null, body: source, bodyLine: 0 })
  })
})

describe('toFrontmatter', () => {
  it('reads every supported field', () => {
    const { frontmatter, findings } = read(
      'title: Backups\nsidebarTitle: B\ndescription: >\n  Two\n  lines\ntag: NEW\nkeywords: [a, "b"]\nhidden: true\nnoindex: "true"\nsearchable: false\nboost: 2.5\ngroups:\n  - admin\npublic: true\ndeprecated: true\nopenapi: GET /x\nproduct: API',
    )

    expect(frontmatter).toEqual({
      title: 'Backups',
      sidebarTitle: 'B',
      description: 'Two lines',
      tag: 'NEW',
      keywords: ['a', 'b'],
      hidden: true,
      noindex: true,
      searchable: false,
      boost: 2.5,
      groups: ['admin'],
      public: true,
      deprecated: true,
      openapi: 'GET /x',
    })
    expect(findings).toEqual([])
  })

  it('converts numbers to text, and a comma-separated text to a list', () => {
    expect(read('title: 2024\nversion: 1.5\nkeywords: a, b , ,c').frontmatter).toEqual({
      title: '2024',
      version: '1.5',
      keywords: ['a', 'b', 'c'],
    })
  })

  it('drops a field of the wrong type, and reports its name and line', () => {
    const { frontmatter, findings } = read('title: A\nboost: high\ngroups: {a: 1}')

    expect(frontmatter).toEqual({ title: 'A' })
    expect(findings.map(({ rule, line }) => [rule, line])).toEqual([
      ['frontmatter-field-invalid', 4],
      ['frontmatter-field-invalid', 3],
    ])
  })

  it('reports broken YAML with its line, and uses what can be read', () => {
    const { frontmatter, findings } = read('title: A\ndescription: b: c: d')

    expect(frontmatter.title).toBe('A')
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'frontmatter-invalid', line: 3 }))
  })

  it.each([
    [
      'aliases that unfold without end',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
        .split('')
        .map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(9)}]`)
        .join('\n')}`,
    ],
    ['more text than frontmatter needs', `title: ${'x'.repeat(70_000)}`],
    ['brackets inside each other', `a: ${'['.repeat(20_000)}`],
    ['a list instead of fields', '- a\n- b'],
    ['a bare text', 'nothing'],
  ])('reports %s', (_name, yaml) => {
    const { frontmatter, findings } = read(yaml)

    expect(frontmatter).toEqual({})
    expect(findings.map((finding) => finding.rule)).toContain('frontmatter-invalid')
  })

  it('cannot reach a prototype by field names', () => {
    const { frontmatter } = read('__proto__:\n  hidden: true\nconstructor: x\ntitle: A')

    expect(frontmatter.hidden).toBeUndefined()
    expect(({} as Record<string, unknown>)['hidden']).toBeUndefined()
  })
})
