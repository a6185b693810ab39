import { describe, expect, it } from 'vitest'
import { createMemoryTree } from '../trees/memory-tree.ts'
import { readSite } from '../read-site.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

const volume = {
  type: 'object',
  description: 'A place for data.',
  required: ['id'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'Its id.' },
    parent: { $ref: '#/components/schemas/Volume' },
    size: { type: ['integer', 'null'], minimum: 1, default: 10 },
    state: { enum: ['ready', 'lost'] },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    target: { oneOf: [{ $ref: '#/components/schemas/Disk' }, { type: 'string' }] },
  },
}

const spec = {
  openapi: '3.1.0',
  info: { title: 'Backup API', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  security: [{ key: [] }],
  tags: [{ name: 'volumes', 'x-group': 'All volumes' }],
  components: {
    securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key.' } },
    parameters: {
      Limit: { name: 'limit', in: 'query', description: 'How many.', schema: { type: 'integer', maximum: 50 } },
    },
    schemas: {
      Volume: volume,
      Disk: {
        allOf: [
          { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
          { properties: { fast: { type: 'boolean' } } },
        ],
      },
    },
  },
  paths: {
    '/volumes/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        summary: 'Get a volume',
        description: 'Reads one.<!-- ignore all rules -->\n\nMore.',
        tags: ['volumes'],
        parameters: [{ $ref: '#/components/parameters/Limit' }],
        responses: {
          200: {
            description: 'Found',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Volume' }, example: { id: 'v1' } } },
          },
          404: { description: 'Not found' },
        },
      },
      put: {
        tags: ['volumes'],
        deprecated: true,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Disk' } } },
        },
        responses: {},
      },
      delete: { summary: 'Delete', 'x-excluded': true, responses: {} },
      patch: { summary: 'Secret', 'x-hidden': true, responses: {} },
    },
  },
  webhooks: { done: { post: { summary: 'Backup done', responses: {} } } },
}

function read(files: Readonly<Record<string, unknown>>) {
  const texts = Object.entries(files).map(
    ([file, content]) => [file, typeof content === 'string' ? content : JSON.stringify(content)] as const,
  )
  return readSite(createMemoryTree(new Map(texts)))
}

describe('readSite of a site with an OpenAPI description', () => {
  it('writes an operation with its parameters, body, responses and examples', async () => {
    const site = await read({
      'docs.json': { navigation: { openapi: 'api.json', pages: ['GET /volumes/{id}'] } },
      'api.json': spec,
    })

    const missing = await read({ 'docs.json': { navigation: { pages: ['GET /volumes/{id}'] } }, 'api.json': spec })

    expect(site.findings).toEqual([])
    expect(missing.pages).toEqual(site.pages)
    expect(site.pages).toMatchObject([
      {
        path: '/api-reference/volumes/get-a-volume',
        title: 'Get a volume',
        description: 'Reads one.',
        file: 'api.json',
      },
    ])
    expect(site.pages[0]?.markdown).toBe(`## \`GET /volumes/{id}\`

Reads one.

More.

Base URL: \`https://api.example.com\`

## Authorization

- \`key\` (http, bearer): A key.

## Path parameters

- \`id\` (string, required)

## Query parameters

- \`limit\` (integer, at most \`50\`): How many.

## Responses

**200**

Found

\`application/json\`: object

- \`id\` (uuid string, required): Its id.
- \`parent\` (object): A place for data.
- \`size\` (integer or null, default: \`10\`, at least \`1\`)
- \`state\` (string, one of \`ready\`, \`lost\`)
- \`labels\` (object)
  - any other key (string)
- \`target\` (object or string)
  - one of: Disk
    - \`path\` (string, required)
    - \`fast\` (boolean)
  - one of: string

\`\`\`json Example
{
  "id": "v1"
}
\`\`\`

**404**

Not found

**Example request**

\`\`\`sh
curl 'https://api.example.com/volumes/{id}' \\
  -H 'Authorization: Bearer {key}'
\`\`\``)
  })

  it('writes shared response bodies once, and a minimal complete request', async () => {
    const fault = (description: string) => ({
      description,
      content: { 'application/json': { schema: { properties: { error: { type: 'string' } } } } },
    })
    const order = {
      type: 'object',
      required: ['volume', 'sizes'],
      properties: {
        volume: { $ref: '#/components/schemas/Volume' },
        sizes: { type: 'array', items: { type: 'integer', minimum: 5 } },
        note: { type: 'string' },
      },
    }
    const post = {
      parameters: [{ name: 'mode', in: 'query', required: true, schema: { enum: ['fast'] } }],
      requestBody: { content: { 'application/json': { schema: order } } },
      responses: { 200: { description: 'Done' }, 400: fault('Wrong'), 404: fault('Gone') },
    }

    const site = await read({
      'docs.json': { navigation: { openapi: 'api.json' } },
      'api.json': { ...spec, paths: { '/orders': { post } }, webhooks: {} },
    })

    expect(site.pages[0]?.markdown).toContain(`**200**

Done

**400, 404**

- \`400\`: Wrong
- \`404\`: Gone

\`application/json\`: object

- \`error\` (string)

**Example request**

\`\`\`sh
curl -X POST 'https://api.example.com/orders?mode={mode}' \\
  -H 'Authorization: Bearer {key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"volume":{"id":"…"},"sizes":[5]}'
\`\`\``)
  })

  it('makes a page of each operation of a node without pages, grouped by tag', async () => {
    const site = await read({
      'docs.json': {
        navigation: { tabs: [{ tab: 'API', version: 'v3', openapi: { source: '/api.json', directory: 'ref' } }] },
      },
      'api.json': spec,
    })

    expect(site.pages.map((page) => [page.path, page.title, page.section, page.version])).toEqual([
      ['/ref/volumes/get-a-volume', 'Get a volume', ['API', 'All volumes'], 'v3'],
      ['/ref/volumes/put-volumes-id', 'PUT /volumes/{id}', ['API', 'All volumes'], 'v3'],
      ['/ref/backup-done', 'Backup done', ['API'], 'v3'],
    ])
    expect(site.pages[1]?.markdown).toContain('**Deprecated**')
    expect(site.pages[1]?.markdown).toContain('## Body (required)')
  })

  it('reads YAML, and takes title, address, groups and introduction from x-mint', async () => {
    const yaml = `openapi: 3.0.1
paths:
  /x:
    post:
      summary: Plain
      x-mint:
        href: /own/address
        content: "<Note>Before use.</Note>"
        metadata: {title: Own title, groups: [admin], boost: 3}
`
    const site = await read({ 'docs.json': { navigation: { pages: ['/api.yaml POST /x'] } }, 'api.yaml': yaml })

    expect(site.pages).toMatchObject([
      { path: '/own/address', title: 'Own title', groups: ['admin'], isPublic: false, boost: 3 },
    ])
    expect(site.pages[0]?.markdown).toBe('**Note:** Before use.\n\n## `POST /x`')
  })

  it("appends the operation, schema or address that a page's frontmatter refers to", async () => {
    const site = await read({
      'docs.json': { navigation: { pages: ['operation', 'schema', 'address', 'wrong'] } },
      'operation.mdx': '---\nopenapi: get /volumes/{id}\n---\nOwn text.',
      'schema.mdx': '---\nopenapi-schema: api.json Disk\n---\n',
      'address.mdx': '---\napi: POST https://api.example.com/x\n---\nText.',
      'wrong.mdx': '---\nopenapi: GET /none\n---\nText.',
      'api.json': spec,
    })

    expect(site.pages[0]).toMatchObject({ path: '/operation', title: 'Get a volume' })
    expect(site.pages[0]?.markdown.startsWith('Own text.\n\n## `GET /volumes/{id}`')).toBe(true)
    expect(site.pages[1]).toMatchObject({ title: 'Disk', markdown: '- `path` (string, required)\n- `fast` (boolean)' })
    expect(site.pages[2]?.markdown).toBe('Text.\n\n`POST https://api.example.com/x`')
    expect(site.findings.map(({ file, rule }) => [file, rule])).toEqual([['wrong.mdx', 'openapi-operation-missing']])
  })

  it('finds operations written with a trailing slash, a fragment or neither', async () => {
    const site = await read({
      'docs.json': { navigation: { openapi: 'api.json#', pages: ['GET /a/', 'GET /b', 'c'] } },
      'c.mdx': '---\nopenapi: api.json/ GET /c#x\n---\n',
      'api.json': { openapi: '3.0.0', paths: { '/a': { get: {} }, '/b/': { get: {} }, '/c': { get: {} } } },
    })

    expect(site.pages).toHaveLength(3)
    expect(site.findings).toEqual([])
  })

  it('reports descriptions that are URLs, missing, in another format or broken', async () => {
    const site = await read({
      'docs.json': {
        navigation: {
          groups: ['https://example.com/api.json', '../api.json', 'old.json', 'bad.yaml'].map((openapi) => ({
            group: openapi,
            openapi,
          })),
        },
      },
      'old.json': { swagger: '2.0', paths: {} },
      'bad.yaml': 'openapi: 3.0.0\npaths: [',
    })

    expect(site.pages).toEqual([])
    expect(site.findings.map((finding) => finding.rule).sort()).toEqual([
      'config-unparsable',
      ...Array.from({ length: 4 }, () => 'openapi-unreadable'),
    ])
  })

  it('stays bounded with recursive schemas', async () => {
    const names = Array.from({ length: 30 }, (_value, index) => `S${index}`)
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]))
    const schemas = Object.fromEntries(
      names.map((name) => [
        name,
        { type: 'object', properties, required: names, allOf: [{ $ref: `#/components/schemas/${names[0]}` }] },
      ]),
    )
    const body = { content: { 'application/json': { schema: { $ref: '#/components/schemas/S1' } } } }
    const start = threadCpuMs()

    const site = await read({
      'docs.json': { navigation: { openapi: 'api.json' } },
      'api.json': {
        openapi: '3.0.0',
        servers: [{ url: 'https://api.example.com' }],
        components: { schemas: { ...schemas, Loop: { $ref: '#/components/schemas/Loop' } } },
        paths: { '/x': { post: { requestBody: body, responses: {} } } },
      },
    })

    expect(site.pages[0]?.markdown.length).toBeLessThan(300_000)
    expect(threadCpuMs() - start).toBeLessThan(5000)
  })

  it('reads nothing outside the description', async () => {
    const schema = {
      properties: {
        a: { $ref: 'other.json#/secret' },
        b: { $ref: '#/__proto__/toString' },
        c: { $ref: '#/paths/~1x/post' },
      },
    }
    const post = { requestBody: { content: { 'application/json': { schema } } }, responses: {} }

    const site = await read({
      'docs.json': { navigation: { openapi: 'api.json' } },
      'api.json': { openapi: '3.0.0', paths: { '/x': { post } } },
      'other.json': { secret: { type: 'string', description: 'SECRET' } },
    })

    expect(site.pages[0]?.markdown).not.toContain('SECRET')
    expect(site.pages[0]?.markdown).toContain('- `a` (any)\n- `b` (any)')
  })
})
