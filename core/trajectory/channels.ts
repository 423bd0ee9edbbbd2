import {
  certificateMessage, checkpointMessage, contactsMessage, controlMessage, deformablesMessage, endMessage, eventMessage, forcesMessage, frameMessage,
  headerMessage,
  jointsMessage, scriptMessage, sensorsMessage,
} from './messages'
import { protobufPackage } from './descriptor'

/** A channel of the trajectory file: one message type under one topic. */
export interface ChannelDescription {
  readonly topic: string
  /** Full name of the message type, for the schema record. */
  readonly schemaName: string
  readonly schemaEncoding: 'protobuf'
  readonly messageEncoding: 'protobuf'
}

const channel = <T extends string>(topic: T, message: { readonly name: string }) => ({
  topic, schemaName: `${protobufPackage}.${message.name}`, schemaEncoding: 'protobuf', messageEncoding: 'protobuf',
}) as const

/** All channels in the order of their registration; all schemas share the bytes of `fileDescriptorSet()`. */
export const channels = {
  /** One message, before all others. */
  header: channel('header', headerMessage),
  frames: channel('frames', frameMessage),
  contacts: channel('contacts', contactsMessage),
  joints: channel('joints', jointsMessage),
  forces: channel('forces', forcesMessage),
  /** One per frame in runs with deformables. */
  deformables: channel('deformables', deformablesMessage),
  events: channel('events', eventMessage),
  certificate: channel('certificate', certificateMessage),
  /** Plots and logs of scripts; only in frames that have any. */
  script: channel('script', scriptMessage),
  /** States from which the run can resume: each is the last message of its chunk. */
  checkpoints: channel('checkpoints', checkpointMessage),
  /** One message, after all others; absent if the run was killed. */
  end: channel('end', endMessage),
  /** State of controllers; one per frame in runs with controllers. */
  control: channel('control', controlMessage),
  /** Sensor values; one per frame in runs with sensors. */
  sensors: channel('sensors', sensorsMessage),
} as const satisfies Record<string, ChannelDescription>

export type ChannelName = keyof typeof channels
