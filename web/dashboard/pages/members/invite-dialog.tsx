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

type InvitationCreated = Reply<typeof accountOperations.createInvitation>

/** Makes a link that is sent by whatever way people talk to each other. */
export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [created, setCreated] = useState<InvitationCreated | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      title={created === null ? 'Invite someone' : 'The invitation'}
      isOpen={isOpen}
      onClose={close}
      closesOutside={false}
    >
      {created === null ? (
        <InviteForm onCreated={setCreated} onCancel={close} />
      ) : (
        <>
          <Notice tone="warning">Send them this link. It is shown this once, and works once.</Notice>
          <div className={classes.link}>
            <code>{created.url}</code>
            <CopyButton text={created.url} what="link" hasText look="primary" />
          </div>
          <DialogActions>
            <Button onClick={close}>Done</Button>
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
    <FormView form={form} action="Make the link" onCancel={onCancel}>
      <RadioField legend="Role" choices={roleChoices} {...form.field('role')} />
      <TextField
        label="E-mail"
        type="email"
        isOptional
        description="Whom it is for. Without it, whoever has the link."
        {...form.field('email', 'The e-mail address')}
      />
    </FormView>
  )
}
