import { markImage } from '../images/image-marks.ts'
import { resolveSourcePath } from '../trees/source-path.ts'
import type { RenderScope } from './render-scope.ts'

/** Generators show one of two images by the theme of the screen; ours is the one for light screens. */
const forDarkScreens = /#(?:only-dark|gh-dark-mode-only)$/

/** Renders an image as its alternative text, marked with what it refers to. */
export function renderImage(
  url: string | null | undefined,
  alternative: string | null | undefined,
  scope: RenderScope,
): string {
  const reference = url ?? ''
  if (forDarkScreens.test(reference)) return ''
  const { source, page } = scope
  const isOfSnippet = source.file !== page.file && !reference.startsWith('/')
  const resolved = isOfSnippet ? resolveSourcePath(source.file, reference) : null
  return markImage(resolved === null ? reference : `/${resolved}`, alternative ?? '')
}
