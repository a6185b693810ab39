import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AcceptInfo } from '../../../../src/contract/accounts.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ApiError, describeError, describeFieldError } from '../../api/api-error.ts'
import { accept, acceptInfoQuery, signInWithLink } from '../../api/session.ts'
import { usePageTitle } from '../../shell/current-place.ts'
import { EntryFrame } from './entry-frame.tsx'
import classes from './entry-frame.module.css'
import { useEnter } from './enter.ts'

const route = getRouteApi('/accept')

/** Target of owner links and invitations. */
export function AcceptPage() {
  usePageTitle('Set up your account')
  const { token } = route.useSearch()
  const info = useQuery(acceptInfoQuery(token))
  if (info.isError) {
    return (
      <EntryFrame title="This link does not work">
        <Notice tone="danger">{describeError(info.error)}</Notice>
        <p className={classes.muted}>
          Links work only once and for a limited time. If you have already used it, <Link to="/sign-in">sign in</Link>.
        </p>
      </EntryFrame>
    )
  }
  if (info.data === undefined) {
    return (
      <EntryFrame title="Set up your account">
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
        Sign in without setting a password
      </Button>
    </>
  )
}

function titleOf({ kind, organization, hasPassword }: AcceptInfo): string {
  if (kind === 'invitation') return `Join ${organization.name}`
  return hasPassword ? 'Set a new password' : 'Set up your account'
}

function describeLink({ kind, role, organization, hasPassword }: AcceptInfo): string {
  if (kind === 'invitation') return `You are invited as ${role === 'viewer' ? 'a' : 'an'} ${role}.`
  if (hasPassword) return `This link signs you in as an owner of ${organization.name} with a new password.`
  return `You will be the owner of ${organization.name}.`
}

function AcceptForm({ token, info }: { token: string; info: AcceptInfo }) {
  const [name, setName] = useState(info.name ?? '')
  const [email, setEmail] = useState(info.email ?? '')
  const [password, setPassword] = useState('')
  const enter = useEnter()
  const attempt = useMutation({ mutationFn: accept, onSuccess: () => enter(undefined) })
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
        label="Your name"
        autoComplete="name"
        required
        maxLength={100}
        autoFocus
        value={name}
        onValueChange={setName}
        error={errorOf('The name', 'name')}
      />
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        required
        readOnly={info.email !== null}
        value={email}
        onValueChange={setEmail}
        error={errorOf('The email address', 'email')}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        description="At least 12 characters. A few random words are easy to remember."
        value={password}
        onValueChange={setPassword}
        error={errorOf('The password', 'password')}
      />
      <Button type="submit" look="primary" isBusy={attempt.isPending}>
        {info.kind === 'invitation' ? 'Join' : 'Continue'}
      </Button>
    </form>
  )
}
