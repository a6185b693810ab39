import { isLfsPointer } from '../../git/trees/lfs-pointer.ts'
import type { SitePage } from '../../content/site-page.ts'
import type { FindingList } from '../../content/finding-list.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import type { SiteRule } from '../../content/finding-rules.ts'

/** Larger ones are photos that were never scaled down. */
const imageBytesMax = 2 * 1024 * 1024
/** Of all images of a site: they are part of each generation of its index. */
const siteBytesMax = 64 * 1024 * 1024

/**
 * Reads the images that public pages show; of those of other pages, readers get the alternative text.
 *
 * @param findings Gets the images that are left out.
 * @returns By path in the tree.
 */
export async function readImages(
  tree: FileTree,
  pages: readonly SitePage[],
  findings: FindingList,
): Promise<Map<string, Uint8Array>> {
  const images = new Map<string, Uint8Array>()
  let total = 0
  for (const file of listPublicImages(pages)) {
    const report = (rule: SiteRule, message: string) => findings.add({ file, line: null, rule, message })
    const bytes = await tree.read(file).catch(() => null)
    if (bytes === null || isLfsPointer(bytes))
      report('image-unreadable', 'The image cannot be read, so pages show its text instead.')
    else if (bytes.byteLength > imageBytesMax)
      report(
        'image-too-large',
        `The image is larger than ${imageBytesMax} bytes, so pages show its text instead. Scale it down.`,
      )
    else if (total + bytes.byteLength > siteBytesMax) {
      report(
        'images-too-large',
        `The images of the site are larger than ${siteBytesMax} bytes together, so this one and those of later pages are left out. Scale them down.`,
      )
      break
    } else {
      images.set(file, bytes)
      total += bytes.byteLength
    }
  }
  return images
}

function listPublicImages(pages: readonly SitePage[]): Set<string> {
  const shown = pages.filter(({ isPublic }) => isPublic).flatMap(({ images = [] }) => images)
  return new Set(shown.map(({ file }) => file))
}

/** Keeps of a page's images those that can be shown. */
export function keepImages({ images, ...page }: SitePage, read: ReadonlyMap<string, Uint8Array>): SitePage {
  const kept = images?.filter(({ file }) => read.has(file)) ?? []
  return kept.length === 0 ? page : { ...page, images: kept }
}
