import { describe, expect, it } from 'vitest'
import { readTestSite } from '../../../../test/support/read-test-site.ts'

const page = (title: string, body = '') => `---\ntitle: ${title}\n---\n${body}`
const files = {
  'source.config.ts':
    "import { defineDocs } from 'fumadocs-mdx/config'\nexport const docs = defineDocs({ dir: 'content/manual' })",
  'lib/source.ts':
    "import { loader } from 'fumadocs-core/source'\nexport const source = loader({ baseUrl: '/manual', source: docs.toFumadocsSource() })",
  'content/manual/meta.json': { pages: ['(start)', '---Reference---', 'api', '...', '!later', 'gone'] },
  'content/manual/(start)/meta.json': { title: 'Start', pages: ['install', '[Blog](/blog)'] },
  'content/manual/(start)/index.mdx': page('Welcome', 'See [it](./install) and [api](/manual/api/one).'),
  'content/manual/(start)/install.mdx': page(
    'Install',
    '<include>./_part.mdx</include>\n\n<include cwd meta=\'title="x.ts"\'>\n  src/x.ts\n</include>',
  ),
  'content/manual/(start)/_part.mdx': '---\ntitle: Part\n---\nShared.',
  'content/manual/api/one.mdx': page(
    'One',
    '## Use it [#use]\n\n<Tabs items={["npm", "yarn"]}>\n<Tab>A</Tab>\n<Tab>B</Tab>\n</Tabs>',
  ),
  'content/manual/api/two.mdx': page(
    'Two',
    '<Callout type="warn">Careful.</Callout>\n\n<TypeTable type={{ size: { type: "number", default: 2, description: "How large" } }} />',
  ),
  'content/manual/other.mdx': page(
    'Other',
    '<Callout title={<>The <code>.x</code> {"suffix"}</>}>Text.</Callout>\n\n```ts tab="Docs"\na\n```\n\n```ts title="b.ts" tab="Blog"\nb\n```',
  ),
  'content/manual/later.mdx': page('Later'),
  'content/manual/.hidden.mdx': page('Hidden'),
  'src/x.ts': 'export const x = 1\n',
}

describe('readSite of a Fumadocs project', () => {
  it('orders pages by meta.json, without folders in parentheses in their addresses', async () => {
    const site = await readTestSite(files)

    expect(site.format).toBe('fumadocs')
    expect(site.pages.map(({ path, section }) => [path, section])).toEqual([
      ['/manual', ['Start']],
      ['/manual/install', ['Start']],
      ['/manual/api/one', ['Reference', 'Api']],
      ['/manual/api/two', ['Reference', 'Api']],
      ['/manual/other', ['Reference']],
      ['/manual/later', []],
      ['/manual/_part', ['Start']],
    ])
    expect(site.findings).toMatchObject([{ file: 'content/manual/meta.json', rule: 'navigation-page-missing' }])
  })

  it('reads includes, tabs by their list, callouts, type tables and ids of headings', async () => {
    const site = await readTestSite(files)
    const markdownOf = (path: string) => site.pages.find((each) => each.path === path)?.markdown

    expect(markdownOf('/manual')).toBe('See [it](/manual/install) and [api](/manual/api/one).')
    expect(markdownOf('/manual/install')).toBe('Shared.\n\n```ts x.ts\nexport const x = 1\n```')
    expect(markdownOf('/manual/api/one')).toBe('## Use it {#use}\n\n**npm**\n\nA\n\n**yarn**\n\nB')
    expect(markdownOf('/manual/other')).toBe('**The `.x` suffix**\n\nText.\n\n```ts Docs\na\n```\n\n```ts b.ts\nb\n```')
    expect(markdownOf('/manual/api/two')).toBe(
      '**Warning:** Careful.\n\n| name | type | default | description |\n| --- | --- | --- | --- |\n| size | number | 2 | How large |',
    )
  })

  it('reads languages by suffix', async () => {
    const site = await readTestSite({
      'source.config.ts': '',
      'lib/i18n.ts':
        "export const i18n = defineI18n({ defaultLanguage: 'en', languages: ['en', 'cn'], hideLocale: 'default-locale' })",
      'content/docs/index.mdx': page('Home'),
      'content/docs/index.cn.mdx': page('首页'),
      'content/docs/meta.cn.json': { pages: ['index'] },
    })

    expect(site.pages.map(({ path, language }) => [path, language])).toEqual([
      ['/docs', 'en'],
      ['/cn/docs', 'cn'],
    ])
    expect(site.defaultLanguage).toBe('en')
  })

  it('writes the operations of API pages from the description in the tree, else from the frontmatter', async () => {
    const api = {
      openapi: '3.1.0',
      paths: { '/jobs': { get: { summary: 'List jobs', responses: {} } } },
      webhooks: { done: { post: { summary: 'Done' } } },
    }
    const kept =
      '_openapi:\n  method: GET\n  route: /runs\n  structuredData:\n    headings:\n      - { id: body, content: Body }\n    contents:\n      - { content: Starts a run. }\n      - { content: The name of the run., heading: body }'
    const site = await readTestSite({
      ...files,
      'lib/openapi.ts': `import { createOpenAPI } from 'fumadocs-openapi/server'\nexport const openapi = createOpenAPI({ input: { jobs: './specs/api.json' } })`,
      'specs/api.json': api,
      'content/manual/jobs.mdx': page(
        'Jobs',
        '<APIPage document={"./specs/api.json"} operations={[{"path":"/jobs","method":"get"}]} webhooks={[{"name":"done","method":"post"}]} />',
      ),
      'content/manual/named.mdx': page(
        'Named',
        '<APIPage document="jobs" operations={[{ path: "/jobs", method: "get" }]} />',
      ),
      'content/manual/runs.mdx': `---\ntitle: Runs\n${kept}\n---\n<APIPage document={"https://a.b/x.json"} operations={[{"path":"/runs","method":"get"}]} />`,
      'content/manual/gone.mdx': page(
        'Gone',
        '<APIPage document={"./gone.json"} operations={[{"path":"/gone","method":"get"}]} />',
      ),
    })
    const pageAt = (path: string) => site.pages.find((each) => each.path === path)

    expect(pageAt('/manual/jobs')?.markdown).toMatch(/^## `GET \/jobs`[\s\S]*## `WEBHOOK done`/)
    expect(pageAt('/manual/named')?.markdown).toMatch(/^## `GET \/jobs`/)
    expect(pageAt('/manual/runs')?.markdown).toBe('## `GET /runs`\n\nStarts a run.\n\n### Body\n\nThe name of the run.')
    expect(site.findings.filter(({ rule }) => rule.startsWith('openapi'))).toMatchObject([
      { file: 'content/manual/gone.mdx', rule: 'openapi-operation-missing' },
    ])
  })
})
