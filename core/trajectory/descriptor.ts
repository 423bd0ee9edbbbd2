import { encode } from './encode'
import type { Enumeration, FieldSpec, MessageSpec } from './wire-format'
import {
  certificateMessage, contactsMessage, deformablesMessage, endMessage, energyMessage, eventMessage, forcesMessage, frameMessage, headerMessage, jointsMessage,
  checkpointMessage, controlMessage, scriptMessage, sensorsMessage,
  fallbacksMessage, solverMessage,
} from './messages'

// The required part of descriptor.proto of Protocol Buffers, in the same kind of table as the messages that it describes.

const enumValue: MessageSpec = {
  name: 'EnumValueDescriptorProto',
  fields: [{ number: 1, name: 'name', kind: 'string' }, { number: 2, name: 'number', kind: 'uint32' }],
}
const enumType: MessageSpec = {
  name: 'EnumDescriptorProto',
  fields: [{ number: 1, name: 'name', kind: 'string' }, { number: 2, name: 'value', kind: 'messages', message: enumValue }],
}
const fieldType: MessageSpec = {
  name: 'FieldDescriptorProto',
  fields: [
    { number: 1, name: 'name', kind: 'string' }, { number: 3, name: 'number', kind: 'uint32' }, { number: 4, name: 'label', kind: 'uint32' },
    { number: 5, name: 'type', kind: 'uint32' }, { number: 6, name: 'typeName', kind: 'strings' },
    { number: 10, name: 'jsonName', kind: 'string' },
  ],
}
const messageType: MessageSpec = {
  name: 'DescriptorProto',
  fields: [{ number: 1, name: 'name', kind: 'string' }, { number: 2, name: 'field', kind: 'messages', message: fieldType }],
}
const file: MessageSpec = {
  name: 'FileDescriptorProto',
  fields: [
    { number: 1, name: 'name', kind: 'string' }, { number: 2, name: 'package', kind: 'string' },
    { number: 4, name: 'messageType', kind: 'messages', message: messageType },
    { number: 5, name: 'enumType', kind: 'messages', message: enumType }, { number: 12, name: 'syntax', kind: 'string' },
  ],
}
const fileSet: MessageSpec = { name: 'FileDescriptorSet', fields: [{ number: 1, name: 'file', kind: 'messages', message: file }] }

export const protobufPackage = 'cairn'

const messages = [
  headerMessage, frameMessage, contactsMessage, jointsMessage, forcesMessage, deformablesMessage, energyMessage, certificateMessage, eventMessage,
  scriptMessage, controlMessage, sensorsMessage, checkpointMessage,
  solverMessage, fallbacksMessage, endMessage,
]

const types: Readonly<Record<FieldSpec['kind'], number>> = {
  double: 1, doubles: 1, string: 9, strings: 9, message: 11, messages: 11, uint32: 13, enum: 14, enums: 14, sint32: 17, sints: 17,
}
const repeated: ReadonlySet<FieldSpec['kind']> = new Set(['doubles', 'sints', 'strings', 'enums', 'messages'])

const snake = (name: string) => name.replace(/[A-Z]/g, capital => `_${capital.toLowerCase()}`).replace(/^_/, '')

function describeField(field: FieldSpec) {
  const type = 'message' in field ? field.message.name : 'enumeration' in field ? field.enumeration.name : null
  return {
    name: snake(field.name), number: field.number, label: repeated.has(field.kind) ? 3 : 1, type: types[field.kind],
    typeName: type === null ? [] : [`.${protobufPackage}.${type}`], jsonName: field.name,
  }
}

/** Values of all enumerations share one scope, hence the prefix. */
const describeEnumeration = ({ name, values }: Enumeration) => ({
  name, value: values.map((value, number) => ({ name: `${snake(name)}_${snake(value)}`.toUpperCase(), number })),
})

/** The FileDescriptorSet that makes the file self-describing: bytes of an MCAP schema record with encoding `protobuf`. */
export function fileDescriptorSet(): Uint8Array {
  const enumerations = new Map<string, Enumeration>()
  for (const { fields } of messages) {
    for (const field of fields) if ('enumeration' in field) enumerations.set(field.enumeration.name, field.enumeration)
  }
  return encode(fileSet, {
    file: [{
      name: 'cairn/trajectory.proto', package: protobufPackage, syntax: 'proto3',
      messageType: messages.map(({ name, fields }) => ({ name, field: fields.map(describeField) })),
      enumType: [...enumerations.values()].map(describeEnumeration),
    }],
  })
}
