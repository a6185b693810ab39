import type { SitePage } from '../site-page.ts'
import { decodeAddress, resolveSourcePath } from '../trees/source-path.ts'
import { takeImages } from './image-marks.ts'
import { imageTypeOf } from './image-type.ts'

type WithImages<Page> = Page & Pick<SitePage, 'images'>

/**
 * Takes the marks of images out of a page, and finds the files that they refer to.
 *
 * Generators serve images from folders of their own choice, such as `public` and `static`, and some resolve references
 * by the address of the page. So a reference that names no file by itself means the file whose path ends with it, the
 * one nearest to the root if there are several.
 *
 * @param paths All files of the tree.
 */
export function createImageFinder(
  paths: Iterable<string>,
): <Page extends Pick<SitePage, 'file' | 'markdown'>>(page: Page) => WithImages<Page> {
  const byName = Map.groupBy(
    [...paths].filter((path) => imageTypeOf(path) !== null),
    nameOf,
  )
  return (page) => {
    const { markdown, images: marked } = takeImages(page.markdown)
    if (markdown === page.markdown) return page
    const images = marked.flatMap(({ reference, ...place }) => {
      const file = findFile(byName, page.file, reference)
      return file === null ? [] : [{ ...place, file }]
    })
    return { ...page, markdown, ...(images.length === 0 ? {} : { images }) }
  }
}

function findFile(byName: ReadonlyMap<string, string[]>, page: string, reference: string): string | null {
  const path = decodeAddress(reference.replace(/[?#].*$/s, ''))
  const candidates = byName.get(nameOf(path)) ?? []
  const resolved = resolveSourcePath(page, path)
  if (resolved !== null && candidates.includes(resolved)) return resolved
  const ending = `/${path.replace(/^(?:\.{0,2}\/|@site\/|~\/)+/, '')}`
  const [nearest = null] = candidates
    .filter((file) => `/${file}`.endsWith(ending))
    .sort((one, other) => one.length - other.length)
  return nearest
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
