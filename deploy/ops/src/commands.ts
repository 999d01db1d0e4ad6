import { accountCommands } from './accounts.ts'
import { alarmCommands } from './alarms.ts'
import { applicationCommands } from './applications.ts'
import { auctionCommands } from './auctions.ts'
import { auditCommand } from './audit.ts'
import { backupCommands } from './backups.ts'
import type { Command } from './command.ts'
import { contractCommands } from './contracts.ts'
import { custodyCommands } from './custody.ts'
import { deliveryCommands } from './deliveries.ts'
import { disputeCommands } from './disputes.ts'
import { doctorCommand } from './doctor.ts'
import { exhibitionCommands } from './exhibitions.ts'
import { giftCommands } from './gifts.ts'
import { identityCommands } from './identities.ts'
import { itemCommands } from './items.ts'
import { lostWorkCommands } from './lost-works.ts'
import { messageCommands } from './messages.ts'
import { newsletterCommands } from './newsletter.ts'
import { offerCommands } from './offers.ts'
import { officeCommand } from './office.ts'
import { orderCommands } from './orders.ts'
import { ownerCommands } from './owner.ts'
import { payoutCommands } from './payouts.ts'
import { processorSideCommands } from './processor-side.ts'
import { reconcileCommand } from './reconcile.ts'
import { restoredCommand } from './restored.ts'
import { salesCommand } from './sales.ts'
import { signerCommands } from './signers.ts'
import { statusCommand } from './status.ts'
import { uploadCommands } from './uploads.ts'

/** All commands by name. */
export const commands: Record<string, Command> = {
  status: statusCommand,
  office: officeCommand,
  doctor: doctorCommand,
  ...alarmCommands,
  ...orderCommands,
  ...offerCommands,
  ...auctionCommands,
  sales: salesCommand,
  ...deliveryCommands,
  ...giftCommands,
  ...signerCommands,
  ...ownerCommands,
  ...messageCommands,
  audit: auditCommand,
  ...accountCommands,
  ...applicationCommands,
  ...itemCommands,
  ...exhibitionCommands,
  ...newsletterCommands,
  ...processorSideCommands,
  ...disputeCommands,
  ...payoutCommands,
  reconcile: reconcileCommand,
  ...lostWorkCommands,
  restored: restoredCommand,
  ...contractCommands,
  ...identityCommands,
  ...custodyCommands,
  ...uploadCommands,
  ...backupCommands,
}

/** The command of these words, and its arguments: a name has one word or two (`signers add`). */
export function findCommand(words: string[]): { name: string; args: string[]; command?: Command } {
  const two = words.slice(0, 2).join(' ')
  const name = Object.hasOwn(commands, two) ? two : (words[0] ?? '')
  const args = words.slice(name.split(' ').length)
  return { name, args, ...(Object.hasOwn(commands, name) && { command: commands[name] }) }
}
