import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { FileTree } from '../../src/content/trees/file-tree.ts'

/** What a navigation promises about a page. */
export interface NavigatedPage {
  /** As it is written, without a slash at its ends. */
  target: string
  isHidden: boolean
}

type Json = { readonly [key: string]: unknown }

/**
 * The pages that a `docs.json` names, read as plainly as can be and by no code of the product: every string below a
 * `pages`, wherever it stands, with `$ref` filled in and `hidden` and `searchable` handed down.
 */
export function listNavigation(folder: string): NavigatedPage[] {
  const found: NavigatedPage[] = []
  const config = readJson(join(folder, 'docs.json'))
  walk(config['navigation'], { folder, file: 'docs.json', isHidden: false, isPage: false, found })
  return found
}

/** Files that are no page although they look like one, by the rules of docs.json. */
export function listPageFiles({ paths }: FileTree): string[] {
  const others = /(?:^|\/)(?:\.[^/]+|snippets|node_modules)\/|(?:^|\/)(?:README|LICENSE|CHANGELOG|CONTRIBUTING)\.md$/
  return paths.filter((path) => /\.mdx?$/.test(path) && !others.test(path))
}

interface Walk {
  folder: string
  file: string
  isHidden: boolean
  /** Whether a string here is a page. */
  isPage: boolean
  found: NavigatedPage[]
}

function walk(value: unknown, place: Walk): void {
  if (typeof value === 'string') {
    if (place.isPage && !/^(?:\S+ )?[A-Z]+ \//.test(value) && !/^https?:/.test(value)) {
      place.found.push({ target: value.replace(/^\/|\/$|\.mdx?$/g, ''), isHidden: place.isHidden })
    }
  } else if (Array.isArray(value)) for (const item of value) walk(item, place)
  else if (typeof value === 'object' && value !== null) walkObject(value as Json, place)
}

function walkObject(node: Json, place: Walk): void {
  const reference = node['$ref']
  if (typeof reference === 'string') {
    const file = normalize(join(dirname(place.file), reference))
    walk(readJson(join(place.folder, file)), { ...place, file })
  }
  const isHidden = node['searchable'] === true ? false : place.isHidden || node['hidden'] === true
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === 'object' || key === 'root') {
      walk(value, { ...place, isHidden, isPage: key === 'pages' || key === 'root' })
    }
  }
}

function readJson(file: string): Json {
  return JSON.parse(readFileSync(file, 'utf8')) as Json // A wrong file fails the test that asked for it.
}
