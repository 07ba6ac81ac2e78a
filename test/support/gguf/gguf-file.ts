// Writes a GGUF file (version 3): what a test needs of it, nothing more. Weights are 32-bit
// floats, because a fixture's numbers are to be read back exactly as they were put in.

import { writeFile } from "node:fs/promises";

export type GgufValue =
  | { readonly type: "uint32"; readonly value: number }
  | { readonly type: "float32"; readonly value: number }
  | { readonly type: "bool"; readonly value: boolean }
  | { readonly type: "string"; readonly value: string }
  | { readonly type: "strings"; readonly value: readonly string[] }
  | { readonly type: "int32s"; readonly value: readonly number[] }
  | { readonly type: "float32s"; readonly value: readonly number[] };

/** `shape` begins with the dimension whose numbers lie side by side. */
export type GgufTensor = {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
};

export type GgufContent = {
  readonly metadata: Readonly<Record<string, GgufValue>>;
  readonly tensors: readonly GgufTensor[];
};

const alignment = 32;
const float32Tensor = 0;
const code = { int32: 5, uint32: 4, float32: 6, bool: 7, string: 8, array: 9 };

export async function writeGguf(path: string, { metadata, tensors }: GgufContent): Promise<void> {
  const entries = Object.entries(metadata);
  const head: Buffer[] = [
    Buffer.from("GGUF"),
    uint32(3),
    uint64(tensors.length),
    uint64(entries.length),
    ...entries.flatMap(([key, value]) => [text(key), ...encodeValue(value)]),
  ];
  const body: Buffer[] = [];
  let offset = 0;
  for (const { name, shape, values } of tensors) {
    head.push(text(name), uint32(shape.length), ...shape.map(uint64));
    head.push(uint32(float32Tensor), uint64(offset));
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    body.push(bytes, padding(bytes.length));
    offset = aligned(offset + bytes.length);
  }
  const headLength = head.reduce((sum, part) => sum + part.length, 0);
  await writeFile(path, Buffer.concat([...head, padding(headLength), ...body]));
}

function encodeValue(entry: GgufValue): Buffer[] {
  switch (entry.type) {
    case "uint32":
      return [uint32(code.uint32), uint32(entry.value)];
    case "float32":
      return [uint32(code.float32), float32(entry.value)];
    case "bool":
      return [uint32(code.bool), Buffer.from([entry.value ? 1 : 0])];
    case "string":
      return [uint32(code.string), text(entry.value)];
    case "strings":
      return [...arrayHead(code.string, entry.value.length), ...entry.value.map(text)];
    case "int32s":
      return [...arrayHead(code.int32, entry.value.length), ...entry.value.map(int32)];
    case "float32s":
      return [...arrayHead(code.float32, entry.value.length), ...entry.value.map(float32)];
  }
}

const arrayHead = (element: number, length: number): Buffer[] => [
  uint32(code.array),
  uint32(element),
  uint64(length),
];

const aligned = (length: number): number => Math.ceil(length / alignment) * alignment;
const padding = (length: number): Buffer => Buffer.alloc(aligned(length) - length);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}
