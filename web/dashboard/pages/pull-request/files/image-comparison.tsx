import { useState } from 'react'
import type { DiffSide } from '../../../../../src/contract/pull-request-review.ts'
import type { PullRequestFile } from '../../../../../src/contract/pull-request-view.ts'
import { useReview } from '../review-context.ts'
import classes from './files.module.css'
import { pullRequestPath } from '../pull-request-address.ts'
import { say } from '../../../../words/say.ts'
import { language } from '../../../../words/language.ts'

export function isImage(path: string): boolean {
  return /\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(path)
}

/** Both sides of an image, with their sizes. */
export function ImageComparison({ file }: { file: PullRequestFile }) {
  const { path, previousPath, kind } = file
  return (
    <div className={classes.images}>
      {kind === 'added' ? null : <Side side="before" path={previousPath ?? path} blob="" />}
      {kind === 'deleted' ? null : <Side side="after" path={path} blob={file.blob} />}
    </div>
  )
}

const labels = { before: say('Before'), after: say('After') } as const

function Side({ side, path, blob }: { side: DiffSide; path: string; blob: string }) {
  const { address } = useReview()
  const [size, setSize] = useState<string | null>(null)
  // The content's id makes the browser load a new version.
  const query = new URLSearchParams({ side, path, ...(blob !== '' && { blob }) })
  const url = `${pullRequestPath(address)}/image?${query}`
  return (
    <figure>
      <figcaption>
        {labels[side]}
        {size === null ? null : `, ${size}`}
      </figcaption>
      <img
        src={url}
        alt={`${path}, ${labels[side].toLowerCase()}`}
        loading="lazy"
        onLoad={({ currentTarget }) => setSize(describeSize(currentTarget))}
        onError={() => setSize(say('cannot be shown'))}
      />
    </figure>
  )
}

function describeSize({ naturalWidth, naturalHeight, currentSrc }: HTMLImageElement): string {
  const pixels = `${naturalWidth} × ${naturalHeight} px`
  const [entry] = performance.getEntriesByName(currentSrc)
  const bytes = entry instanceof PerformanceResourceTiming ? entry.decodedBodySize : 0
  return bytes === 0
    ? pixels
    : `${pixels}, ${(bytes / 1_000).toLocaleString(language, { maximumFractionDigits: bytes < 100_000 ? 1 : 0 })} kB`
}
