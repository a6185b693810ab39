import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { describeError } from '../../api/api-error.ts'
import { oidcStart, sessionQuery, signIn } from '../../api/session.ts'
import { usePageTitle } from '../../shell/current-place.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { EntryFrame } from './entry-frame.tsx'
import classes from './entry-frame.module.css'
import { useEnter } from './enter.ts'
import { readReturnAddress } from './return-address.ts'
import { say, sayParts } from '../../../words/say.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  usePageTitle(say('Sign in'))
  const { returnTo, error } = route.useSearch()
  const session = useQuery(sessionQuery)
  return (
    <EntryFrame title={say('Sign in to Docent')}>
      {error === undefined ? null : (
        <Notice tone="danger">{say('Signing in failed. Try again, or ask the owner of this service.')}</Notice>
      )}
      <Loaded query={session}>
        {({ methods, isFirstRun, commandPrefix = 'docent' }) => (
          <>
            {isFirstRun ? <FirstRun commandPrefix={commandPrefix} /> : null}
            {methods.oidc === null ? null : (
              <OidcButton name={methods.oidc.name} returnTo={readReturnAddress(returnTo, location.origin)} />
            )}
            {methods.oidc !== null && methods.password ? (
              <p className={classes.or}>{say('or with a password')}</p>
            ) : null}
            {methods.password ? <PasswordForm returnTo={returnTo} /> : null}
          </>
        )}
      </Loaded>
    </EntryFrame>
  )
}

function FirstRun({ commandPrefix }: { commandPrefix: string }) {
  return (
    <Notice tone="accent">
      {sayParts(
        'Nobody has an account yet. Open the link that the first start printed, or create a new one on the server: {code}',
        { code: <code>{commandPrefix} owner-link</code> },
      )}
    </Notice>
  )
}

/** Leaves the dashboard for the identity provider. */
function OidcButton({ name, returnTo }: { name: string; returnTo: string }) {
  return (
    <Button look="primary" onClick={() => location.assign(oidcStart(returnTo))}>
      {say('Continue with {name}', { name })}
    </Button>
  )
}

function PasswordForm({ returnTo }: { returnTo: string | undefined }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const enter = useEnter()
  const attempt = useMutation({ mutationFn: signIn, onSuccess: () => enter(returnTo) })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!attempt.isPending) attempt.mutate({ email, password })
      }}
    >
      {attempt.isError ? <Notice tone="danger">{describeError(attempt.error)}</Notice> : null}
      <TextField
        label={say('Email')}
        type="email"
        autoComplete="username"
        required
        autoFocus
        value={email}
        onValueChange={setEmail}
      />
      <TextField
        label={say('Password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onValueChange={setPassword}
      />
      <Button type="submit" look="primary" isBusy={attempt.isPending}>
        {say('Sign in')}
      </Button>
    </form>
  )
}
