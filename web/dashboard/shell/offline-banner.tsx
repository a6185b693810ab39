import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setReachable, useIsReachable } from '../api/connection.ts'
import classes from './offline-banner.module.css'
import { say } from '../../words/say.ts'

const retryMs = 3_000

/** Shown while the service does not respond. Polls until it does, then refetches everything. */
export function OfflineBanner() {
  const isReachable = useIsReachable()
  const client = useQueryClient()
  useEffect(() => {
    if (isReachable) return
    const timer = setInterval(() => {
      // A failure is expected here; the interval retries.
      fetch('/healthz', { signal: AbortSignal.timeout(retryMs) }).then(
        () => {
          setReachable(true)
          return client.invalidateQueries()
        },
        () => {},
      )
    }, retryMs)
    return () => clearInterval(timer)
  }, [isReachable, client])
  return (
    <div role="status">
      {isReachable ? null : (
        <p className={classes.banner}>{say('Docent is not responding. Retrying every few seconds.')}</p>
      )}
    </div>
  )
}
