import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Form, FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { ApiError, describeError, describeFieldError } from '../../api/api-error.ts'
import { changePassword, sessionQuery, signOutEverywhere, useSession } from '../../api/session.ts'
import classes from './profile-page.module.css'

/** The account of who is signed in. */
export function ProfilePage() {
  const { user, methods } = useSession()
  if (user === null) return null
  return (
    <>
      <PageHeader title="Your account">What is known of you here, your password and your sessions.</PageHeader>
      <Section title="You">
        <Facts
          facts={[
            ['Name', user.name],
            ['E-mail', user.email ?? 'none yet'],
            ['Role', user.role],
          ]}
        />
      </Section>
      {methods.password ? <Password email={user.email ?? ''} /> : null}
      <Sessions />
    </>
  )
}

function Password({ email }: { email: string }) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: () => changePassword({ currentPassword: current, password: next }),
    onSuccess: (session) => {
      client.setQueryData(sessionQuery.queryKey, session)
      setCurrent('')
      setNext('')
      showToast({ title: 'The password is changed. All other sessions are ended.' })
    },
  })
  const hasFieldErrors = change.error instanceof ApiError && change.error.details.length > 0
  return (
    <Section title="Password" description="Another password ends all sessions but this one.">
      <div className={classes.form}>
        <Form isBusy={change.isPending} onSubmit={() => change.mutate()}>
          {change.isError && !hasFieldErrors ? <Notice tone="danger">{describeError(change.error)}</Notice> : null}
          {/* Tells programs that keep passwords whose it is. */}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            value={current}
            onValueChange={setCurrent}
            error={describeFieldError(change.error, 'The password', 'currentPassword')}
          />
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            description="At least 12 characters. A few words in a row are easy to keep in mind."
            value={next}
            onValueChange={setNext}
            error={describeFieldError(change.error, 'The password', 'password')}
          />
          <FormActions>
            <Button type="submit" look="primary" isBusy={change.isPending}>
              Change the password
            </Button>
          </FormActions>
        </Form>
      </div>
    </Section>
  )
}

function Sessions() {
  const [isAsking, setAsking] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  const end = useMutation({
    mutationFn: signOutEverywhere,
    onSuccess: async () => {
      await navigate({ to: '/sign-in' })
      client.clear()
    },
  })
  return (
    <Section title="Sessions" description="Each browser that you sign in with has a session of its own.">
      <FormActions>
        <Button onClick={() => setAsking(true)}>Sign out everywhere</Button>
      </FormActions>
      <ConfirmDialog
        title="Sign out everywhere?"
        action="Sign out"
        isOpen={isAsking}
        isBusy={end.isPending}
        error={end.isError ? describeError(end.error) : null}
        onConfirm={() => end.mutate()}
        onClose={() => {
          end.reset()
          setAsking(false)
        }}
      >
        All your sessions end, in this browser too. You sign in again after that.
      </ConfirmDialog>
    </Section>
  )
}
