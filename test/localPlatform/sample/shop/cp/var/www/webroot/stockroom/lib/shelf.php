<?php

declare(strict_types=1);

/**
 * @return list<array{shelf: string, goods: string, left: int}>
 */
function read_shelves(string $path): array
{
    $lines = file($path, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES);
    if ($lines === false) {
        throw new RuntimeException("The count cannot be read: $path");
    }
    $shelves = [];
    foreach (array_slice($lines, 1) as $line) {
        [$shelf, $goods, $left] = str_getcsv($line, ';', '"', '');
        $shelves[] = ['shelf' => $shelf, 'goods' => $goods, 'left' => (int) $left];
    }
    return $shelves;
}
