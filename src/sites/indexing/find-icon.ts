import { posix } from 'node:path'
import { imageTypeOf } from '../../content/images/image-type.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { isLfsPointer } from '../../git/trees/lfs-pointer.ts'

/** Every list of sites loads the icons. Larger files are pictures. */
const iconBytesMax = 64 * 1024
const configBytesMax = 256 * 1024

/** Files that tell a generator the icon of a site. */
const configFile =
  /^(?:docs\.json|mint\.json|mkdocs\.ya?ml|docusaurus\.config\.\w+|astro\.config\.\w+|\.vitepress\/config(?:\/index|\/shared)?\.\w+)$/
/** `favicon: 'img/icon.svg'`, and `{ rel: 'icon', …, href: '/logo.svg' }`. */
const declarations = [
  /\bfavicon['"]?\s*:\s*['"]?([^\s'",{}]+)/g,
  /\brel['"]?\s*:\s*['"](?:shortcut )?icon['"][^}]{0,300}?\bhref['"]?\s*:\s*['"]([^'"]+)/g,
]

/** A configuration names one for each color scheme and size; examples in comments add some. */
const declaredMax = 20

/** Best first. */
const usualNames = ['favicon.svg', 'icon.svg', 'favicon.png', 'icon.png', 'favicon.ico', 'apple-touch-icon.png']
/** Where generators look for static files. Icons in other folders usually belong to examples. */
const usualFolder =
  /^(?:(?:apps|docs|site|web|website|www|public|static|assets|app|src|images?|img|icons?|logo|theme)\/)*$/

/**
 * Finds the icon that a site has in browsers: the one that its configuration names, or else one that is named as usual.
 *
 * @param folder The site's folder in the tree.
 * @returns Null if there is none, or none that is small enough.
 */
export async function findIcon(tree: FileTree, folder: string): Promise<{ path: string; bytes: Uint8Array } | null> {
  const prefix = folder === '' ? '' : `${folder}/`
  const paths = tree.paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
  const images = paths.filter((path) => imageTypeOf(path) !== null)
  if (images.length === 0) return null
  const declared = await readDeclared(tree, prefix, paths)
  for (const path of [...listDeclared(images, declared), ...listUsual(images)]) {
    const bytes = await tree.read(prefix + path).catch(() => null)
    if (bytes !== null && bytes.byteLength <= iconBytesMax && !isLfsPointer(bytes))
      return { path: prefix + path, bytes }
  }
  return null
}

async function readDeclared(tree: FileTree, prefix: string, paths: readonly string[]): Promise<string[]> {
  const configs = paths.filter((path) => configFile.test(path))
  const texts = await Promise.all(
    configs.map(async (path) => {
      const bytes = await tree.read(prefix + path).catch(() => null)
      return bytes === null || bytes.byteLength > configBytesMax ? '' : new TextDecoder().decode(bytes)
    }),
  )
  const found = texts.flatMap((text) =>
    declarations.flatMap((each) => [...text.matchAll(each)].flatMap(([, path]) => path ?? [])),
  )
  return [...new Set(found)].slice(0, declaredMax)
}

/** A declared path is that of the published site, whose folders generators fill from folders of their choice. */
function listDeclared(images: readonly string[], declared: readonly string[]): string[] {
  return declared.flatMap((path) => {
    const ending = `/${path.replace(/^[./]+/, '')}`
    return images.filter((image) => `/${image}`.endsWith(ending)).toSorted((one, other) => one.length - other.length)
  })
}

function listUsual(images: readonly string[]): string[] {
  const rank = (path: string) => usualNames.indexOf(posix.basename(path))
  return images
    .filter((path) => rank(path) >= 0 && usualFolder.test(path.slice(0, path.lastIndexOf('/') + 1)))
    .toSorted((one, other) => rank(one) - rank(other) || one.length - other.length)
}
