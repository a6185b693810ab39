import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Section } from '../../../ui/section.tsx'
import { changedAddressesQuery } from '../../api/pull-requests.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { VisibleText } from '../../shell/visible-text.tsx'
import classes from './pull-request-page.module.css'
import { useReview } from './review-context.ts'
import { say, sayCount } from '../../../words/say.ts'

/** Addresses that readers lose, gain or find elsewhere. Both sides of the sites are read for it, so only on request. */
export function AddressesSection() {
  const { pullRequest, address } = useReview()
  const mayChange = pullRequest.files.some(({ kind, isPage }) => !isPage || kind !== 'modified')
  const [isShown, setShown] = useState(false)
  const changed = useQuery({ ...changedAddressesQuery({ ...address }), enabled: isShown })
  if (!mayChange) return null
  return (
    <Section title={say('Addresses')}>
      {isShown ? (
        <Loaded query={changed}>
          {({ addresses, total }) => (
            <>
              {total === 0 ? <p className={classes.muted}>{say('Every page keeps its address.')}</p> : null}
              <ul className={classes.rows}>
                {addresses.map(({ site, before, after }) => (
                  <li key={`${site} ${before ?? ''} ${after ?? ''}`}>
                    {before === null ? say('New') : after === null ? say('Gone') : say('Moved')}:{' '}
                    {before === null ? null : <Address text={before} />}
                    {before === null || after === null ? null : ' → '}
                    {after === null ? null : <Address text={after} />}
                  </li>
                ))}
              </ul>
              {total > addresses.length ? (
                <p className={classes.muted}>
                  {sayCount(total - addresses.length, '{count} more address', '{count} more addresses')}
                </p>
              ) : null}
            </>
          )}
        </Loaded>
      ) : (
        <p>
          <Button size="small" onClick={() => setShown(true)}>
            {say('Show what changes')}
          </Button>
        </p>
      )}
    </Section>
  )
}

function Address({ text }: { text: string }) {
  return (
    <code>
      <VisibleText text={text} />
    </code>
  )
}
