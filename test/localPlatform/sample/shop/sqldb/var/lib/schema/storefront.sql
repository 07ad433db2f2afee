CREATE TABLE product (
    id       INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
    slug     VARCHAR(60)  NOT NULL UNIQUE,
    title    VARCHAR(120) NOT NULL,
    grams    SMALLINT UNSIGNED NOT NULL,
    cents    INT UNSIGNED NOT NULL,
    on_shelf INT UNSIGNED NOT NULL DEFAULT 0
);

CREATE TABLE customer_order (
    id        BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
    placed_at DATETIME(3)  NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    email     VARCHAR(190) NOT NULL,
    state     ENUM('placed', 'paid', 'packed', 'sent', 'cancelled') NOT NULL DEFAULT 'placed',
    KEY by_state (state, placed_at)
);

CREATE TABLE order_line (
    order_id   BIGINT UNSIGNED NOT NULL,
    product_id INT UNSIGNED NOT NULL,
    pieces     SMALLINT UNSIGNED NOT NULL,
    cents      INT UNSIGNED NOT NULL,
    PRIMARY KEY (order_id, product_id),
    FOREIGN KEY (order_id) REFERENCES customer_order (id) ON DELETE CASCADE,
    FOREIGN KEY (product_id) REFERENCES product (id)
);
