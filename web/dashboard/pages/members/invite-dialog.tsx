import { useState } from 'react'
import type { Role } from '../../../../src/contract/accounts.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioField } from '../../../ui/choice-field.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { FormView } from '../../forms/form-view.tsx'
import { useForm } from '../../forms/use-form.ts'
import { roleChoices } from './member-table.tsx'
import classes from './members-page.module.css'
import { accountOperations } from '../../../../src/contract/operations/accounts.ts'
import { call, type Reply } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

type InvitationCreated = Reply<typeof accountOperations.createInvitation>

/** Creates an invitation link, which users send themselves. */
export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [created, setCreated] = useState<InvitationCreated | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      title={created === null ? say('Invite someone') : say('Invitation link')}
      isOpen={isOpen}
      onClose={close}
      closesOutside={false}
    >
      {created === null ? (
        <InviteForm onCreated={setCreated} onCancel={close} />
      ) : (
        <>
          <Notice tone="warning">
            {say('Send this link to the person you are inviting. It is shown only once and works only once.')}
          </Notice>
          <div className={classes.link}>
            <code>{created.url}</code>
            <CopyButton text={created.url} what={say('link')} hasText look="primary" />
          </div>
          <DialogActions>
            <Button onClick={close}>{say('Done')}</Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

function InviteForm({ onCreated, onCancel }: { onCreated(invitation: InvitationCreated): void; onCancel(): void }) {
  const form = useForm({
    initial: { role: 'viewer' as Role, email: '' },
    send: ({ role, email }) =>
      call(accountOperations.createInvitation, { body: { role, email: email.trim() === '' ? null : email } }),
    stale: ['listInvitations'],
    onDone: onCreated,
  })
  return (
    <FormView form={form} action={say('Create link')} onCancel={onCancel}>
      <RadioField legend={say('Role')} choices={roleChoices} {...form.field('role')} />
      <TextField
        label={say('Email')}
        type="email"
        isOptional
        description={say('The person you are inviting. Empty: anyone with the link can join.')}
        {...form.field('email', say('The email address'))}
      />
    </FormView>
  )
}
