import * as z from 'zod/mini'
import { Address, item } from '../body-fields.ts'
import { Text } from '../schema.ts'

/** A link that looks like a button. */
export const ButtonBlock = item({ type: z.literal('button'), text: Text, address: Address })
export type ButtonBlock = z.output<typeof ButtonBlock>
