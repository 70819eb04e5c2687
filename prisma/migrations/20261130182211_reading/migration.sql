-- AlterTable
ALTER TABLE "document" ADD COLUMN     "held_by" UUID;

-- AlterTable
ALTER TABLE "environment" ADD COLUMN     "max_decoded_megabytes" INTEGER NOT NULL DEFAULT 512,
ADD COLUMN     "max_document_megabytes" INTEGER NOT NULL DEFAULT 50,
ADD COLUMN     "max_document_pages" INTEGER NOT NULL DEFAULT 200,
ADD COLUMN     "max_page_megapixels" INTEGER NOT NULL DEFAULT 40,
ADD COLUMN     "max_page_memory_megabytes" INTEGER NOT NULL DEFAULT 700,
ADD COLUMN     "max_page_seconds" INTEGER NOT NULL DEFAULT 20;

-- AlterTable
ALTER TABLE "run_page" ADD COLUMN     "max_tokens" INTEGER,
ADD COLUMN     "note" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "preset" TEXT,
ADD COLUMN     "read_id" UUID;

-- CreateTable
CREATE TABLE "run_attempt" (
    "id" UUID NOT NULL,
    "page_id" UUID NOT NULL,
    "read_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "temperature" DOUBLE PRECISION NOT NULL,
    "max_tokens" INTEGER,
    "route" TEXT NOT NULL DEFAULT '',
    "prompt_tokens" INTEGER,
    "completion_tokens" INTEGER,
    "seconds" DOUBLE PRECISION NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "run_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "run_attempt_page_id_number_idx" ON "run_attempt"("page_id", "number");

-- AddForeignKey
ALTER TABLE "run_attempt" ADD CONSTRAINT "run_attempt_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "run_page"("id") ON DELETE CASCADE ON UPDATE CASCADE;
