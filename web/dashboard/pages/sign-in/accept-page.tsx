import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AcceptInfo } from '../../../../src/contract/accounts.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ApiError, describeError, describeFieldError } from '../../api/api-error.ts'
import { acceptLink, acceptInfoQuery, signInWithLink } from '../../api/session.ts'
import { usePageTitle } from '../../shell/current-place.ts'
import { EntryFrame } from './entry-frame.tsx'
import classes from './entry-frame.module.css'
import { useEnter } from './enter.ts'
import { rolesWithArticle } from '../../api/role-names.ts'
import { say, sayParts } from '../../../words/say.ts'

const route = getRouteApi('/accept')

/** Target of owner links and invitations. */
export function AcceptPage() {
  usePageTitle(say('Set up your account'))
  const { token } = route.useSearch()
  const info = useQuery(acceptInfoQuery(token))
  if (info.isError) {
    return (
      <EntryFrame title={say('This link does not work')}>
        <Notice tone="danger">{describeError(info.error)}</Notice>
        <p className={classes.muted}>
          {sayParts('Links work only once and for a limited time. If you have already used it, <link>sign in</link>.', {
            link: (text) => <Link to="/sign-in">{text}</Link>,
          })}
        </p>
      </EntryFrame>
    )
  }
  if (info.data === undefined) {
    return (
      <EntryFrame title={say('Set up your account')}>
        <Skeleton />
      </EntryFrame>
    )
  }
  return (
    <EntryFrame title={titleOf(info.data)}>
      <p className={classes.muted}>{describeLink(info.data)}</p>
      <AcceptForm token={token} info={info.data} />
      {info.data.kind === 'sign-in-link' ? <LinkSignIn token={token} /> : null}
    </EntryFrame>
  )
}

/** For owners who need no password or want to keep theirs. */
function LinkSignIn({ token }: { token: string }) {
  const enter = useEnter()
  const attempt = useMutation({ mutationFn: signInWithLink, onSuccess: () => enter(undefined) })
  return (
    <>
      {attempt.isError ? <Notice tone="danger">{describeError(attempt.error)}</Notice> : null}
      <Button isBusy={attempt.isPending} onClick={() => attempt.mutate(token)}>
        {say('Sign in without setting a password')}
      </Button>
    </>
  )
}

function titleOf({ kind, organization, hasPassword }: AcceptInfo): string {
  if (kind === 'invitation') return say('Join {name}', { name: organization.name })
  return hasPassword ? say('Set a new password') : say('Set up your account')
}

function describeLink({ kind, role, organization, hasPassword }: AcceptInfo): string {
  if (kind === 'invitation') return say('You are invited as {role}.', { role: rolesWithArticle[role] })
  if (hasPassword)
    return say('This link signs you in as an owner of {name} with a new password.', { name: organization.name })
  return say('You will be the owner of {name}.', { name: organization.name })
}

function AcceptForm({ token, info }: { token: string; info: AcceptInfo }) {
  const [name, setName] = useState(info.name ?? '')
  const [email, setEmail] = useState(info.email ?? '')
  const [password, setPassword] = useState('')
  const enter = useEnter()
  const attempt = useMutation({ mutationFn: acceptLink, onSuccess: () => enter(undefined) })
  const errorOf = (label: string, path: string) => describeFieldError(attempt.error, label, path)
  const hasFieldError = attempt.error instanceof ApiError && attempt.error.details.length > 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!attempt.isPending) attempt.mutate({ token, name, ...(info.email === null && { email }), password })
      }}
    >
      {attempt.isError && !hasFieldError ? <Notice tone="danger">{describeError(attempt.error)}</Notice> : null}
      <TextField
        label={say('Your name')}
        autoComplete="name"
        required
        maxLength={100}
        autoFocus
        value={name}
        onValueChange={setName}
        error={errorOf(say('The name'), 'name')}
      />
      <TextField
        label={say('Email')}
        type="email"
        autoComplete="username"
        required
        readOnly={info.email !== null}
        value={email}
        onValueChange={setEmail}
        error={errorOf(say('The email address'), 'email')}
      />
      <TextField
        label={say('Password')}
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        description={say('At least 12 characters. A few random words are easy to remember.')}
        value={password}
        onValueChange={setPassword}
        error={errorOf(say('The password'), 'password')}
      />
      <Button type="submit" look="primary" isBusy={attempt.isPending}>
        {info.kind === 'invitation' ? say('Join') : say('Continue')}
      </Button>
    </form>
  )
}
