import { endpointKey } from './fact.ts'
import type { FactCollector } from './fact-collector.ts'

const stringLiteral = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g
const pathText = /^(?:(GET|PUT|POST|DELETE|PATCH) )?(\/[A-Za-z][\w{}:.<>$*-]*(?:\/[\w{}:.<>$*-]*)*)$/
/** Paths of files, which are no endpoints. */
const machinePath = /^\/(?:bin|dist|etc|home|node_modules|opt|path\/to|proc|src|tmp|usr|var)\//
/** Where a path of one part, which may be a sample or a name, is one that the product serves or asks for. */
const routeLine =
  /\.(?:get|put|post|patch|delete|head|options|all|any|use|route|handle(?:func)?|mount|nest|path|fetch|request|add_url_rule)\(|\b(?:fetch|path|re_path|url|route)\(|@\w+[.(]|\b(?:path|pathname|url|uri|route|endpoint|prefix|base_?path)\b["']?[ \t]*[:=]/i
/** A call that names the method: `.post('/notes'`, `@Delete("/notes"`. */
const methodBefore = /(?:[.@])(get|put|post|delete|patch)(?:Mapping)?\([ \t]*$/i
/** What the paths of a router, controller or group begin with. */
const prefixBefore =
  /(?:\b(?:url_)?prefix[ \t]*=|\.(?:group|nest|mount|use|pathprefix|subrouter)\(|@(?:Controller|RequestMapping|Path)\()[ \t]*$/i
const prefixesMax = 8

/** The endpoints of a file, also below the prefixes that its routers have. */
export class RouteReader {
  readonly #into: FactCollector
  readonly #prefixes = new Set<string>()
  readonly #routes: { method: string; path: string; line: number }[] = []

  constructor(into: FactCollector) {
    this.#into = into
  }

  readLine(line: string, at: number): void {
    for (const literal of line.includes('/') ? line.matchAll(stringLiteral) : []) {
      const [, named, path = ''] = pathText.exec(literal.slice(1).find(Boolean) ?? '') ?? []
      if (path === '' || machinePath.test(path) || !/\/.*\/|^\/[\w-]+$/.test(path) || /\.\w{1,5}$/.test(path)) continue
      const before = line.slice(0, literal.index)
      const method = (named ?? methodBefore.exec(before)?.[1] ?? '').toUpperCase()
      const isPublic = /\/.*\//.test(path) || routeLine.test(line)
      this.#add(method, path, at, isPublic)
      if (prefixBefore.test(before) && this.#prefixes.size < prefixesMax) this.#prefixes.add(path)
      else if (method !== '' || routeLine.test(before)) this.#routes.push({ method, path, line: at })
    }
  }

  /** To call after the last line. */
  finish(): void {
    for (const prefix of this.#prefixes) {
      for (const { method, path, line } of this.#routes) this.#add(method, prefix + path, line, true)
    }
  }

  #add(method: string, path: string, line: number, isPublic: boolean): void {
    const key = endpointKey(path)
    this.#into.add('endpoint', path, line, { key, isPublic })
    if (method !== '') this.#into.add('endpoint', `${method} ${path}`, line, { key: `${method} ${key}`, isPublic })
  }
}
