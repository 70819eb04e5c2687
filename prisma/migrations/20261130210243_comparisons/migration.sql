-- AlterTable
ALTER TABLE "batch" ADD COLUMN     "outputs" TEXT[] DEFAULT ARRAY['markdown', 'json']::TEXT[];

-- CreateTable
CREATE TABLE "comparison" (
    "id" UUID NOT NULL,
    "environment_id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "run_ids" UUID[],
    "sealed_expected" BYTEA,
    "created_by_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "comparison_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "comparison_environment_id_created_at_idx" ON "comparison"("environment_id", "created_at");

-- CreateIndex
CREATE INDEX "comparison_document_id_idx" ON "comparison"("document_id");

-- AddForeignKey
ALTER TABLE "comparison" ADD CONSTRAINT "comparison_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "comparison" ADD CONSTRAINT "comparison_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "document"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Pages that are still to be read: what the batch worker looks for many times a second.
CREATE INDEX "run_page_open_idx" ON "run_page" ("run_id", "number") WHERE "state" IN ('queued', 'running');
