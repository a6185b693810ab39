import { type ApiOperation, type OpenApiDocument, listOperations, parseOpenApi } from './openapi-document.ts'
import { resolveSourcePath } from '../trees/source-path.ts'
import type { SourceLibrary } from '../flatten/source-library.ts'
import { readText } from '../trees/read-text.ts'

export const documentBytesMax = 8 * 1024 * 1024
const documentsMax = 200

/** Readers write paths with and without a trailing slash, and some descriptions tell operations apart by a fragment. */
function barePath(path: string): string {
  return path.replace(/#.*$/, '').replace(/\/+$/, '')
}

/** The API descriptions of a site, read on first use. */
export class OpenApiLibrary {
  readonly #library: SourceLibrary
  readonly #isIgnored: (path: string) => boolean
  readonly #documents = new Map<string, OpenApiDocument | null>()
  readonly #operations = new Map<OpenApiDocument, ApiOperation[]>()
  #all: OpenApiDocument[] | null = null

  constructor(library: SourceLibrary, isIgnored: (path: string) => boolean) {
    this.#library = library
    this.#isIgnored = isIgnored
  }

  /**
   * @param source As written in the configuration. Missing files, URLs and other formats are reported as findings and
   *   yield null.
   */
  async open(source: string, namedIn: string): Promise<OpenApiDocument | null> {
    const report = (message: string) => {
      this.#library.findings.add({ file: namedIn, line: null, rule: 'openapi-unreadable', message })
      return null
    }
    if (/^[a-z]+:\/\//i.test(source))
      return report(`The API description ${source} is not fetched. Put a copy into the repository and refer to that.`)
    const file = resolveSourcePath('', source.replace(/#.*$/, ''))
    if (file === null || !this.#library.paths.has(file))
      return report(`The API description ${source} is not a file of this site. Correct its path.`)
    return (await this.#load(file)) ?? report(`The file ${source} is not an OpenAPI 3 description.`)
  }

  /** Every description of the site, by path: pages may use operations of files that no configuration names. */
  async all(): Promise<readonly OpenApiDocument[]> {
    if (this.#all !== null) return this.#all
    this.#all = []
    for (const file of this.#library.tree.paths) {
      if (!/\.(?:json|ya?ml)$/i.test(file) || this.#isIgnored(file) || this.#all.length >= documentsMax) continue
      const document = await this.#load(file)
      if (document !== null) this.#all.push(document)
    }
    return this.#all
  }

  operations(document: OpenApiDocument): readonly ApiOperation[] {
    const known = this.#operations.get(document) ?? listOperations(document)
    this.#operations.set(document, known)
    return known
  }

  /** Finds an operation in the given descriptions, or in all of the site's if none are given. */
  async find(documents: readonly OpenApiDocument[], method: string, path: string): Promise<ApiOperation | null> {
    const searched = documents.length > 0 ? documents : await this.all()
    const candidates = searched.flatMap((document) => this.operations(document)).filter((one) => one.method === method)
    const exact = candidates.find((operation) => operation.path === path)
    return exact ?? candidates.find((operation) => barePath(operation.path) === barePath(path)) ?? null
  }

  async #load(file: string): Promise<OpenApiDocument | null> {
    const known = this.#documents.get(file)
    if (known !== undefined) return known
    const text = await readText(this.#library, file, documentBytesMax)
    // Most JSON and YAML files are not API descriptions; a quick text match avoids parsing them.
    const isCandidate = text !== null && /["']?openapi["']?\s*:\s*["']?3\./.test(text)
    const document = isCandidate ? parseOpenApi(text, file, this.#library.findings) : null
    this.#documents.set(file, document)
    return document
  }
}
