import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { changePassword, sessionQuery, signOut, useSession } from '../../api/session.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useChange } from '../../forms/use-change.ts'
import { useForm } from '../../forms/use-form.ts'
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

const emptyPasswords = { currentPassword: '', password: '' }

function Password({ email }: { email: string }) {
  const client = useQueryClient()
  const form = useForm({
    initial: emptyPasswords,
    send: changePassword,
    next: () => emptyPasswords,
    done: 'The password is changed. All other sessions are ended.',
    onDone: (session) => client.setQueryData(sessionQuery.queryKey, session),
  })
  return (
    <Section title="Password" description="Another password ends all sessions but this one.">
      <div className={classes.form}>
        <FormView form={form} action="Change the password">
          {/* Tells password managers whose password it is. */}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <TextField
            label="Current password"
            type="password"
            autoComplete="current-password"
            required
            {...form.field('currentPassword', 'The password')}
          />
          <TextField
            label="New password"
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            description="At least 12 characters. A few words in a row are easy to keep in mind."
            {...form.field('password', 'The password')}
          />
        </FormView>
      </div>
    </Section>
  )
}

function Sessions() {
  const [asked, setAsked] = useState<'everywhere' | null>(null)
  const client = useQueryClient()
  const navigate = useNavigate()
  const end = useChange<unknown, 'everywhere'>({
    send: () => signOut({ everywhere: true }),
    onDone: async () => {
      await navigate({ to: '/sign-in' })
      client.clear()
    },
  })
  return (
    <Section title="Sessions" description="Each browser that you sign in with has a session of its own.">
      <FormActions>
        <Button onClick={() => setAsked('everywhere')}>Sign out everywhere</Button>
      </FormActions>
      <ConfirmChange
        title="Sign out everywhere?"
        action="Sign out"
        change={end}
        input={asked}
        onClose={() => setAsked(null)}
      >
        All your sessions end, in this browser too. You sign in again after that.
      </ConfirmChange>
    </Section>
  )
}
