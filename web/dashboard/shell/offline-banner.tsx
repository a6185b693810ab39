import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { setReachable, useIsReachable } from '../api/connection.ts'
import classes from './offline-banner.module.css'

const retryMs = 3_000

/** Says that the service does not answer, asks until it does, and then reads everything again. */
export function OfflineBanner() {
  const isReachable = useIsReachable()
  const client = useQueryClient()
  useEffect(() => {
    if (isReachable) return
    const timer = setInterval(() => {
      // No answer is what it is waiting for; the next try follows by itself.
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
    <div role="status" className={classes.place}>
      {isReachable ? null : (
        <p className={classes.banner}>Docent does not answer. This page tries again every few seconds.</p>
      )}
    </div>
  )
}
