import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { accountOperations } from '../../../../src/contract/operations/accounts.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Section } from '../../../ui/section.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { roleNames } from '../../api/role-names.ts'
import { changePassword, sessionQuery, signOut, useSession } from '../../api/session.ts'
import { ConfirmChange } from '../../forms/confirm-change.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useChange } from '../../forms/use-change.ts'
import { useForm } from '../../forms/use-form.ts'
import classes from './profile-page.module.css'
import { say } from '../../../words/say.ts'

export function ProfilePage() {
  const { user, methods } = useSession()
  if (user === null) return null
  return (
    <>
      <PageHeader title={say('Your account')}>{say('Your details, password and sessions.')}</PageHeader>
      <Section title={say('Details')}>
        <Facts
          facts={[
            [say('Name'), user.name],
            [say('Email'), user.email ?? say('None yet')],
            [say('Role'), roleNames[user.role]],
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
    done: say('Password changed. All other sessions have been signed out.'),
    onDone: (session) => client.setQueryData(sessionQuery.queryKey, session),
  })
  return (
    <Section title={say('Password')} description={say('Changing your password ends all other sessions.')}>
      <div className={classes.form}>
        <FormView form={form} action={say('Change password')}>
          {/* Tells password managers which account the password belongs to. */}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <TextField
            label={say('Current password')}
            data-command={accountOperations.changePassword.id}
            type="password"
            autoComplete="current-password"
            required
            {...form.field('currentPassword', say('The password'))}
          />
          <TextField
            label={say('New password')}
            type="password"
            autoComplete="new-password"
            required
            minLength={12}
            description={say('At least 12 characters. A few random words are easy to remember.')}
            {...form.field('password', say('The password'))}
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
    <Section title={say('Sessions')} description={say('Each browser you sign in with has its own session.')}>
      <FormActions>
        <Button onClick={() => setAsked('everywhere')}>{say('Sign out everywhere')}</Button>
      </FormActions>
      <ConfirmChange
        title={say('Sign out everywhere?')}
        action={say('Sign out')}
        change={end}
        input={asked}
        onClose={() => setAsked(null)}
      >
        {say('This ends all your sessions, including this one. You will have to sign in again.')}
      </ConfirmChange>
    </Section>
  )
}
