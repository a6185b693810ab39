import { useRef, useState } from 'react'
import type { PullRequestFile } from '../../../../../src/contract/pull-request-view.ts'
import { useTheme } from '../../../../ui/theme.ts'
import { pullRequestPath } from '../pull-request-address.ts'
import { useReview } from '../review-context.ts'
import classes from './files.module.css'
import { say } from '../../../../words/say.ts'

/** The page as readers see it before and after, rendered by the service in a frame in which nothing runs. */
export function PageComparison({ file: { path, blob } }: { file: PullRequestFile }) {
  const { address } = useReview()
  const [theme] = useTheme()
  const [isLoading, setLoading] = useState(true)
  const frame = useRef<HTMLIFrameElement>(null)
  const query = new URLSearchParams({ path, blob })
  const fit = () => {
    setLoading(false)
    const root = frame.current?.contentDocument?.documentElement
    if (root === undefined || frame.current === null) return
    if (theme !== 'system') root.dataset['theme'] = theme
    // A document is never shorter than its frame. The frame's maximum keeps a long page scrolling within.
    frame.current.style.height = '0'
    frame.current.style.height = `${root.scrollHeight}px`
  }
  return (
    <>
      {isLoading ? <p className={classes.loading}>{say('Reading the page before and after …')}</p> : null}
      <iframe
        ref={frame}
        className={classes.page}
        title={say('{path}, before and after', { path })}
        // No scripts, forms or windows. The same origin only lets this page measure it.
        sandbox="allow-same-origin"
        loading="lazy"
        src={`${pullRequestPath(address)}/page?${query}`}
        onLoad={fit}
      />
    </>
  )
}
