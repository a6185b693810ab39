import { html } from 'hono/html'
import { type Markup, renderFrame } from './page-frame.ts'
import {
  type ApiSchema,
  type ApiSchemas,
  describeType,
  listFields,
  makeExample,
  type SchemaField,
} from './schema-fields.ts'

interface ApiParameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: ApiSchema
}

interface ApiResponse {
  description: string
  content?: Readonly<Record<string, { schema?: ApiSchema }>>
}

interface ApiOperation {
  tags?: readonly string[]
  summary?: string
  description?: string
  deprecated?: boolean
  security?: readonly Readonly<Record<string, readonly string[]>>[]
  parameters?: readonly ApiParameter[]
  requestBody?: { content: Readonly<Record<string, { schema?: ApiSchema }>> }
  responses: Readonly<Record<string, ApiResponse>>
}

/** An OpenAPI 3.1 document, as far as the reference tells of it. */
export interface ApiDocument {
  info: { title: string; description: string; version: string }
  servers: readonly { url: string }[]
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  components: { schemas: ApiSchemas; securitySchemes: Readonly<Record<string, { description: string }>> }
}

interface NamedOperation extends ApiOperation {
  id: string
  method: string
  path: string
}

interface TagGroup {
  name: string
  description: string
  id: string
  operations: NamedOperation[]
}

/** The API reference: every operation of the document, by tag. Made from the document alone. */
export function renderReference(document: ApiDocument) {
  const groups = groupOperations(document)
  const { info, servers, components } = document
  return renderFrame({
    language: 'en',
    title: `${info.title} API reference`,
    description: `Every path of ${info.title}: parameters, bodies, replies.`,
    header: html`<a class="name" href="/">${info.title}</a><span class="place">API reference</span>`,
    navigationLabel: 'Operations',
    navigation: [renderStart(), ...groups.map(renderNavigation)],
    main: html`<h1>API reference</h1>
      ${renderText(info.description)}
      <dl class="facts">
        <dt>Address</dt>
        <dd>${servers.map(({ url }) => html`<code>${url}</code> `)}</dd>
        <dt>Version</dt>
        <dd>${info.version}</dd>
        <dt>For programs</dt>
        <dd><a href="/openapi.json">OpenAPI document</a></dd>
      </dl>
      <section>
        <h2 id="keys">Keys</h2>
        <p>A key goes into the header <code>Authorization: Bearer KEY</code>.</p>
        <ul>
          ${Object.values(components.securitySchemes).map(({ description }) => html`<li>${renderInline(description)}</li>`)}
        </ul>
      </section>
      ${groups.map((group) => renderGroup(group, document))}
      <section>
        <h2 id="errors">Errors</h2>
        <p>The body of every error.</p>
        ${renderFields(listFields(components.schemas['Error'] ?? {}, components.schemas))}
      </section>`,
  })
}

/** In the order of the tags; an operation without one would be missing, so those come last under a name of their own. */
function groupOperations({ tags, paths }: ApiDocument): TagGroup[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      id: makeId(`${method} ${path}`),
      method,
      path,
    })),
  )
  const byTag = Map.groupBy(operations, (operation) => operation.tags?.[0] ?? 'Other')
  const described = new Map(tags.map(({ name, description }) => [name, description]))
  const names = [...new Set([...described.keys(), ...byTag.keys()])]
  return names.flatMap((name) => {
    const tagged = byTag.get(name) ?? []
    return tagged.length === 0
      ? []
      : [{ name, description: described.get(name) ?? '', id: makeId(`tag ${name}`), operations: tagged }]
  })
}

function makeId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function renderStart() {
  return html`<h2>Start</h2>
    <ul>
      <li><a href="#text">Overview</a></li>
      <li><a href="#keys">Keys</a></li>
      <li><a href="#errors">Errors</a></li>
    </ul>`
}

function renderNavigation({ name, operations }: TagGroup) {
  return html`<h2>${name}</h2>
    <ul>
      ${operations.map(
        ({ id, summary, path, method }) =>
          html`<li>
            <a class="entry" href="#${id}">${renderMethod(method)} <span>${summary ?? path}</span></a>
          </li>`,
      )}
    </ul>`
}

function renderGroup({ name, description, id, operations }: TagGroup, document: ApiDocument) {
  return html`<section>
    <h2 id="${id}">${name}</h2>
    ${description === '' ? '' : html`<p>${renderInline(description)}</p>`}
    ${operations.map((operation) => renderOperation(operation, document))}
  </section>`
}

function renderOperation(operation: NamedOperation, document: ApiDocument) {
  const { id, method, path, summary, description, deprecated } = operation
  const { schemas } = document.components
  const body = operation.requestBody?.content['application/json']?.schema
  return html`<article class="operation" aria-labelledby="${id}">
    <h3 id="${id}">${summary ?? path}${deprecated ? html` <span class="tag">deprecated</span>` : ''}</h3>
    <p class="endpoint">${renderMethod(method)} <code>${breakPath(path)}</code></p>
    ${description === undefined ? '' : renderText(description)} ${renderKey(operation)}
    ${renderPart('Parameters', listParameters(operation, schemas))}
    ${body === undefined ? '' : renderPart('Body', listFields(body, schemas))}
    <h4>Replies</h4>
    <ul class="fields">
      ${Object.entries(operation.responses).map(([status, response]) => renderResponse(status, response, schemas))}
    </ul>
    <h4>Try it</h4>
    <pre tabindex="0"><code>${writeCurl(operation, document)}</code></pre>
  </article>`
}

function renderMethod(method: string) {
  const name = method.toUpperCase()
  return html`<span class="method ${method}">${name}</span>`
}

/** Long paths may break after a slash, and nowhere else. */
function breakPath(path: string): Markup[] {
  return path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)
}

const keyNames: Readonly<Record<string, string>> = { assistantKey: 'an assistant key', adminKey: 'an admin key' }

function renderKey({ security }: ApiOperation) {
  const names = (security ?? []).flatMap((schemes) => Object.keys(schemes)).map((name) => keyNames[name] ?? name)
  return names.length === 0
    ? html`<p class="note">Needs no key.</p>`
    : html`<p class="note">Needs ${names.join(' or ')}.</p>`
}

function listParameters({ parameters = [] }: ApiOperation, schemas: ApiSchemas): SchemaField[] {
  return parameters.map(({ name, in: place, required = false, description, schema }) => ({
    name,
    type: `${describeType(schema, schemas)}, in the ${place}`,
    isRequired: required,
    description: description ?? schema.description ?? '',
  }))
}

function renderPart(title: string, fields: readonly SchemaField[]) {
  return fields.length === 0
    ? ''
    : html`<h4>${title}</h4>
        ${renderFields(fields)}`
}

function renderFields(fields: readonly SchemaField[]) {
  return html`<ul class="fields">
    ${fields.map(
      ({ name, type, isRequired, description }) =>
        html`<li>
          <p>
            <code>${name}</code> <span class="type">${type}</span>
            ${isRequired ? html`<span class="tag">required</span>` : ''}
          </p>
          ${description === '' ? '' : html`<p>${renderInline(description)}</p>`}
        </li>`,
    )}
  </ul>`
}

function renderResponse(status: string, { description, content }: ApiResponse, schemas: ApiSchemas) {
  const types = Object.keys(content ?? {})
  const schema = status.startsWith('2') ? content?.['application/json']?.schema : undefined
  const fields = schema === undefined ? [] : listFields(schema, schemas)
  return html`<li>
    <p>
      <code>${status}</code> ${renderInline(description)}
      ${status.startsWith('2') && types.length > 0 ? html`<span class="type">${types.join(', ')}</span>` : ''}
    </p>
    ${
      fields.length === 0
        ? ''
        : html`<details>
            <summary>Fields of the reply</summary>
            ${renderFields(fields)}
          </details>`
    }
  </li>`
}

/** A call as one would type it. Words in braces are to be replaced. */
function writeCurl({ method, path, security, requestBody }: NamedOperation, document: ApiDocument): string {
  const { schemas } = document.components
  const key = security?.some((schemes) => 'adminKey' in schemes) ? 'svc_…' : 'svc_dsc_…'
  const body = requestBody?.content['application/json']?.schema
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}'${document.servers[0]?.url ?? ''}${path}'`,
    ...(security === undefined ? [] : [`-H 'Authorization: Bearer ${key}'`]),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(makeExample(body, schemas))}'`]),
  ]
  return parts.join(' \\\n  ')
}

function renderText(text: string): Markup[] {
  return text.split(/\n\s*\n/).map((paragraph) => html`<p>${renderInline(paragraph)}</p>`)
}

/** The one sign of Markdown that descriptions use. */
function renderInline(text: string): Markup[] {
  return text.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part))
}
