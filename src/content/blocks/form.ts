import * as z from 'zod/mini'
import { formTypes } from '../../features/enquiry-form/contract.ts'
import { item } from '../body-fields.ts'

/** The enquiry form in the page, with one of its kinds preselected. */
export const FormBlock = item({ type: z.literal('form'), kind: z.enum(formTypes) })
